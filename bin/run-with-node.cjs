// Runs a script on a Node that is new enough: this one, or the one that the project brought.
// Plain old JavaScript, so that a Node too old for the rest can read it and say so.
// From the command line: node bin/run-with-node.cjs SCRIPT [PARAMETER …]
'use strict';

var path = require('path');
var childProcess = require('child_process');

var neededMajor = 24;

function findBundledNode() {
  try {
    return require.resolve('node-' + process.platform + '-' + process.arch + '/bin/node');
  } catch (error) {
    return null;
  }
}

function runWith(node, script, parameters) {
  var child = childProcess.spawn(node, [__filename, script].concat(parameters), { stdio: 'inherit' });
  ['SIGTERM', 'SIGINT', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('error', function (error) {
    console.error('Cannot run ' + node + ': ' + error.message + '. Run "npm ci" again.');
    process.exit(1);
  });
  child.on('exit', function (code, signal) {
    process.exit(code === null ? (signal === 'SIGINT' ? 130 : 143) : code);
  });
}

function run(script, parameters) {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) {
    // Compiled code is kept beside the packages, so that every start but the first is quick. Threads go by the environment.
    var cache =
      process.env.NODE_COMPILE_CACHE || path.join(__dirname, '..', 'node_modules', '.cache', 'pullquote');
    process.env.NODE_COMPILE_CACHE = cache;
    require('module').enableCompileCache(cache);
    process.argv = [process.argv[0], script].concat(parameters);
    require(script);
    return;
  }
  var bundled = findBundledNode();
  if (bundled) {
    runWith(bundled, script, parameters);
    return;
  }
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

module.exports = run;

if (require.main === module) run(path.resolve(process.argv[2]), process.argv.slice(3));
