import { type Command, defineCommand, print, UsageProblem } from './command.ts';

export interface Listed extends Command {
  name: string;
  summary: string;
}

export const shells = { bash: forBash, zsh: forZsh, fish: forFish };

export const completionOf = (listCommands: () => Promise<Listed[]>): Command =>
  defineCommand({
    help: [
      'Usage: pullquote completion bash|zsh|fish',
      '',
      'Prints a completion script for your shell. For zsh, save it in a folder on your fpath.',
      '',
      'Examples:',
      '  mkdir -p ~/.local/share/bash-completion/completions',
      '  pullquote completion bash > ~/.local/share/bash-completion/completions/pullquote',
      '  pullquote completion zsh > ~/.zfunc/_pullquote',
      '  pullquote completion fish > ~/.config/fish/completions/pullquote.fish',
    ],
    allowPositionals: true,
    async run(_, positionals) {
      const [shell = '', ...more] = positionals;
      if (!isShell(shell) || more.length > 0) throw new UsageProblem('Pass one shell: bash, zsh or fish.');
      print(shells[shell](await listCommands()).trimEnd());
    },
  });

const isShell = (name: string): name is keyof typeof shells => Object.hasOwn(shells, name);

const optionsOf = ({ help }: Command): string[] => [
  ...new Set([...Array.from(help.matchAll(/(?<![\w-])--[a-z][a-z-]*/g), ([option]) => option), '--help']),
];

/** Shells interpret nothing within single quotes. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function forBash(commands: Listed[]): string {
  const cases = commands.map(
    (command) => `    ${command.name}) words=${shellQuoted(optionsOf(command).join(' '))} ;;`,
  );
  const names = [...commands.map(({ name }) => name), 'help', '--help', '--version'].join(' ');
  return `# Completions of pullquote for bash.
_pullquote() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ] || [ "$COMP_CWORD" -eq 2 -a "\${COMP_WORDS[1]}" = help ]; then
    words=${shellQuoted(names)}
  else case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pullquote pullquote`;
}

function forZsh(commands: Listed[]): string {
  const described = commands.map(
    ({ name, summary }) => `    ${shellQuoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`,
  );
  const cases = commands.map(
    (command) => `    ${command.name}) compadd -- ${optionsOf(command).join(' ')} ;;`,
  );
  return `#compdef pullquote
# Completions of pullquote for zsh.
_pullquote() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )) || [[ $CURRENT == 3 && $words[2] == help ]]; then
    _describe command commands
  elif [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
${cases.join('\n')}
    esac
  else
    _files
  fi
}
if [ "$funcstack[1]" = _pullquote ]; then _pullquote "$@"; else compdef _pullquote pullquote; fi`;
}

function forFish(commands: Listed[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c pullquote -f -n __fish_use_subcommand -a ${command.name} -d ${shellQuoted(command.summary)}`,
    ...optionsOf(command).map(
      (option) =>
        `complete -c pullquote -n ${shellQuoted(`__fish_seen_subcommand_from ${command.name}`)} -l ${option.slice(2)}`,
    ),
  ]);
  return ['# Completions of pullquote for fish.', ...lines].join('\n');
}
