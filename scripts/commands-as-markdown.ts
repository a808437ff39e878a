import { listCommands, overview } from '../src/cli/run-command.ts';

const fenced = (text: string): string => ['```text', text, '```'].join('\n');

/** The help of every command as Markdown. */
export async function commandsAsMarkdown(): Promise<string> {
  const sections = (await listCommands()).map(({ name, help }) => `## ${name}\n\n${fenced(help)}`);
  return [fenced(overview()), ...sections].join('\n\n');
}
