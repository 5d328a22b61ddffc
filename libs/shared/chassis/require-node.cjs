// Ends a program on a Node that is too old, before it fails in a place that names no cause.
// Plain old syntax: the old Node must be able to read this file.
'use strict';

var OLDEST = [20, 19];

/**
 * One line when a version of Node is too old, else undefined.
 * @param {string} version such as 20.19.0
 * @returns {string | undefined}
 */
function problemOf(version) {
  var parts = version.split('.').map(Number);
  var isOld = parts[0] < OLDEST[0] || (parts[0] === OLDEST[0] && parts[1] < OLDEST[1]);
  if (!isOld) return undefined;
  return 'Fiado needs Node ' + OLDEST.join('.') + ' or newer, and this is Node ' + version + '.';
}

/** Ends the process with one line when its Node is too old. */
function requireNode() {
  var problem = problemOf(process.versions.node);
  if (problem === undefined) return;
  process.stderr.write(problem + '\n');
  process.exit(1);
}

module.exports = { problemOf: problemOf, requireNode: requireNode };

if (require.main === module) requireNode();
