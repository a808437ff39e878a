import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder } from './start-service.ts';

interface LockedPackage {
  version: string;
  engines?: { node?: string } | string[];
  cpu?: string[];
  os?: string[];
  optionalDependencies?: Record<string, string>;
  integrity?: string;
}

const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(projectFolder, 'package-lock.json'), 'utf8'),
);

test('every dependency is pinned to one exact version', () => {
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, version] of Object.entries(manifest[group])) {
      assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
      assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name);
    }
  }
});

test('every native package is locked for x64 and arm64', () => {
  const natives = Object.entries(lock.packages).filter(([, { cpu, os }]) => cpu && os?.includes('linux'));
  assert.ok(natives.length >= 6);
  for (const [path] of natives.filter(([path]) => /x64|arm64/.test(path))) {
    const sibling = path.includes('x64') ? path.replace('x64', 'arm64') : path.replace('arm64', 'x64');
    assert.ok(lock.packages[sibling]?.integrity, `${path} has no ${sibling}`);
  }
});

test('every optional package that a locked one names is locked too, because npm ci requires it', () => {
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      const found = lock.packages[`node_modules/${name}`] ?? lock.packages[`${path}/node_modules/${name}`];
      assert.ok(found, `${path} names ${name}`);
    }
  }
});

/** npm compares engines with the Node that runs npm, which can be 20, though the bundled Node 24 runs the packages. It ignores optional packages. */
test('no locked package requires a Node newer than 20, because npm ci would warn without reason: remove such engines from the lock file', () => {
  for (const [path, { engines }] of Object.entries(lock.packages)) {
    const range = (!Array.isArray(engines) && engines?.node) || '0';
    const lowest = Math.min(...range.split('||').map((part) => Number(/\d+/.exec(part)?.[0] ?? 0)));
    assert.ok(lowest <= 20, `${path} needs ${range}`);
  }
});
