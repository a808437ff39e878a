import { listCommands, overview } from '../src/cli/run-command.ts';

const fenced = (text: string): string => ['```text', text, '```'].join('\n');

/** What every command says of itself, as a page shows it. */
export async function commandsAsMarkdown(): Promise<string> {
  const sections = (await listCommands()).map(({ name, help }) => `## ${name}\n\n${fenced(help)}`);
  return [fenced(overview()), ...sections].join('\n\n');
}
