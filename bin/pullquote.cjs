#!/usr/bin/env node
'use strict';

var path = require('path');
var run = require('./run-with-node.cjs');

// A checkout runs its TypeScript; Node refuses that inside node_modules, where an installed package has what was built.
var isInstalled = __dirname.split(path.sep).indexOf('node_modules') >= 0;

run(path.join(__dirname, '..', isInstalled ? 'dist/main.js' : 'src/main.ts'), process.argv.slice(2));
