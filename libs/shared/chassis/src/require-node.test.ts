import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { problemOf } = require('../require-node.cjs') as {
  problemOf: (version: string) => string | undefined;
};

it.each(['12.22.12', '18.20.8', '20.9.0', '20.18.3'])('Node %s gets one clear line', (version) => {
  expect(problemOf(version)).toBe(`Fiado needs Node 20.19 or newer, and this is Node ${version}.`);
});

it.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1'])('Node %s is new enough', (version) => {
  expect(problemOf(version)).toBeUndefined();
});

it('the oldest Node is the one that package.json names', () => {
  const text = readFileSync(join(__dirname, '../../../../package.json'), 'utf8');
  const { engines } = JSON.parse(text) as { engines: { node: string } };
  const oldest = engines.node.replace('>=', '');
  expect(problemOf(`${oldest}.0`)).toBeUndefined();
  const [major, minor] = oldest.split('.').map(Number);
  expect(problemOf(`${major}.${Number(minor) - 1}.0`)).toBeDefined();
});
