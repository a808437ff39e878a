#!/usr/bin/env node
'use strict';

var fs = require('fs');
var path = require('path');
var run = require('./run-with-node.cjs');

// A checkout runs its TypeScript; a package and an image have only what was bundled from it.
var source = path.join(__dirname, '..', 'src/main.ts');
var bundled = path.join(__dirname, '..', 'dist/main.js');

run(fs.existsSync(source) ? source : bundled, process.argv.slice(2));
