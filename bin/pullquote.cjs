#!/usr/bin/env node
// Plain old JavaScript, so that a Node too old for the rest can read it and say so.
'use strict';

var path = require('path');
var childProcess = require('child_process');

var neededMajor = 24;
var main = path.join(
  __dirname,
  '..',
  __dirname.split(path.sep).indexOf('node_modules') < 0 ? 'src/main.ts' : 'dist/main.js',
);

function findBundledNode() {
  try {
    return require.resolve('node-' + process.platform + '-' + process.arch + '/bin/node');
  } catch (error) {
    return null;
  }
}

function runWith(node) {
  var child = childProcess.spawn(node, [main].concat(process.argv.slice(2)), { stdio: 'inherit' });
  ['SIGTERM', 'SIGINT', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('exit', function (code, signal) {
    process.exit(code === null ? (signal === 'SIGINT' ? 130 : 143) : code);
  });
}

if (Number(process.versions.node.split('.')[0]) >= neededMajor) {
  // Compiled code is kept beside the packages, so that every start but the first is quick.
  require('module').enableCompileCache(path.join(__dirname, '..', 'node_modules', '.cache', 'pullquote'));
  require(main);
} else {
  var bundled = findBundledNode();
  if (bundled) {
    runWith(bundled);
  } else {
    console.error(
      'Pullquote needs Node ' +
        neededMajor +
        ' or newer; this is Node ' +
        process.versions.node +
        '.\n' +
        'Run "npm ci" in its folder, which brings the right one on Linux, or install it from https://nodejs.org.',
    );
    process.exit(1);
  }
}
