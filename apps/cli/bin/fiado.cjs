#!/usr/bin/env node
// npm links a workspace's bin only when its file is there at install time, before any build.
const { requireNode } = require('@fiado/chassis/require-node.cjs');

const { existsSync } = require('node:fs');
const { join } = require('node:path');

requireNode();

const main = join(__dirname, '../dist/main.js');
if (existsSync(main)) {
  module.exports = require(main);
} else {
  process.stderr.write('fiado: not built yet: npm run build\n');
  process.exitCode = 2;
}
