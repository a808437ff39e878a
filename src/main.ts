import { runCommand } from './cli/run-command.ts';

runCommand(process.argv.slice(2));
