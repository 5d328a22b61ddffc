import express from 'express';
import { closeServer, listen, portOf } from './server';

it('Express gives the requests and answers of a server no other prototype', async () => {
  const prototypesOf = (...objects: object[]): unknown[] => objects.map(Object.getPrototypeOf);
  let arrived: unknown[] = [];
  let handled: unknown[] = [];
  const app = express().use((req, res) => {
    handled = prototypesOf(req, res);
    res.json({ path: req.path });
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  server.prependListener('request', (req, res) => (arrived = prototypesOf(req, res)));

  const answer = await fetch(`http://127.0.0.1:${portOf(server)}/here`);
  await closeServer(server);

  expect(await answer.json()).toEqual({ path: '/here' });
  expect(handled).toHaveLength(2);
  expect(handled[0]).toBe(arrived[0]);
  expect(handled[1]).toBe(arrived[1]);
});
