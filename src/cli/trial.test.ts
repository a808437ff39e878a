import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScriptedModelForTests } from '../../test/model/scripted-model.ts';
import { honest, type Part, playPart } from '../../test/model/trial-models.ts';
import { runToEnd } from '../../test/start-service.ts';
import { readSamples } from './read-samples.ts';

const server = await startScriptedModelForTests();
const samples = await readSamples();

const environment = {
  AI_MODEL: 'anthropic/claude-sonnet-4-5',
  ANTHROPIC_API_KEY: 'a-key',
  AI_BASE_URL: server.url,
};

const run = (parameters: string[], more: Record<string, string> = {}) =>
  runToEnd({
    command: [process.execPath, 'bin/pullquote.cjs', 'trial', ...parameters],
    environment: { ...environment, ...more },
  });

test('an honest model is good enough to write and to judge, at about the price that was said', async () => {
  server.play(playPart(honest, samples));
  const { code, stdout, stderr } = await run(['--yes']);
  console.log(code, stdout, stderr);
});
