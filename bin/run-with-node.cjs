// Runs a script on a Node that is new enough: this one, or the one that npm installed with the project.
// Plain old JavaScript, so that a Node too old for the rest can read it and say so.
// From the command line: node bin/run-with-node.cjs SCRIPT [PARAMETER …]
'use strict';

var path = require('path');
var childProcess = require('child_process');

var neededMajor = 24;

var bundledNode = 'node-' + process.platform + '-' + process.arch;

function findBundledNode() {
  try {
    return require.resolve(bundledNode + '/bin/node');
  } catch (error) {
    return null;
  }
}

function explainMissing() {
  if (process.platform === 'win32') return 'On Windows, run Pullquote in WSL.';
  if (process.platform !== 'linux')
    return 'Install it from https://nodejs.org: npm ci installs one on Linux only.';
  var bundled = 'The package ' + bundledNode + ', which has one, is not installed. ';
  return bundled + 'Run "npm ci" without --omit=optional, or install Node from https://nodejs.org.';
}

function runWith(node, script, parameters) {
  var child = childProcess.spawn(node, [__filename, script].concat(parameters), { stdio: 'inherit' });
  ['SIGTERM', 'SIGINT', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('error', function (error) {
    console.error('Cannot run ' + node + ': ' + error.message + '.');
    console.error('Run "npm ci" again. On a Linux without glibc, such as Alpine, install Node 24 or newer.');
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
  var current = process.versions.node;
  console.error('Pullquote needs Node ' + neededMajor + ' or newer; this is Node ' + current + '.');
  console.error(explainMissing());
  process.exit(1);
}

module.exports = run;

if (require.main === module) run(path.resolve(process.argv[2]), process.argv.slice(3));
