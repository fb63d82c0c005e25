import { flagOf } from './command-line.ts'
import { type CommandName, commands } from './commands.ts'
import { parseWord } from './option-values.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

const paths = Object.keys(commands) as CommandName[]
const firstWords = [...new Set(paths.map((path) => path.split(' ')[0]))]
const secondWords = (first: string): readonly string[] =>
  paths.filter((path) => path.startsWith(`${first} `)).map((path) => path.split(' ')[1] ?? '')
const groups = firstWords.filter((word): word is string => secondWords(word ?? '').length > 0)
const flagsOf = (path: CommandName): readonly string[] => [
  ...Object.keys(commands[path].options).map(flagOf),
  '--help',
]

/** Words that can follow a command and are no options. */
const choicesOf = (path: CommandName): readonly string[] => (path === 'completion' ? SHELLS : [])

/** Cases of a shell's `case` statement: which words can follow a command. */
const cases = (): readonly string[] => [
  ...paths.map((path) => `    '${path}') words='${[...choicesOf(path), ...flagsOf(path)].join(' ')}' ;;`),
  ...groups.map((group) => `    '${group}') words='${secondWords(group).join(' ')}' ;;`),
  `    *) words='${firstWords.join(' ')} help --version --help' ;;`,
]

const bash = (): string => `_hailstone() {
  local words path="\${COMP_WORDS[1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  case "$path" in
    ${groups.join('|')}) [ "$COMP_CWORD" -gt 2 ] && path="$path \${COMP_WORDS[2]}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && path=''
  case "$path" in
${cases().join('\n')}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=( $(compgen -f -- "$current") )
}
complete -F _hailstone hailstone
`

const zsh = (): string => `#compdef hailstone
autoload -U +X bashcompinit && bashcompinit
${bash()}`

const fish = (): string =>
  [
    'complete -c hailstone -f',
    ...firstWords.map(
      (word) =>
        `complete -c hailstone -n __fish_use_subcommand -a ${word} -d '${aboutOf(word ?? '').replaceAll("'", '')}'`,
    ),
    ...groups.flatMap((group) =>
      secondWords(group).map(
        (word) => `complete -c hailstone -n '__fish_seen_subcommand_from ${group}' -a ${word}`,
      ),
    ),
    ...paths.flatMap((path) =>
      choicesOf(path).map(
        (word) => `complete -c hailstone -n '__fish_seen_subcommand_from ${path}' -a ${word}`,
      ),
    ),
    ...paths.flatMap((path) =>
      Object.entries(commands[path].options).map(([name, option]) => {
        const words = path.split(' ')
        const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
        const takesFile =
          'value' in option && option.value === 'FILE' ? ' -r -F' : 'value' in option ? ' -x' : ''
        return `complete -c hailstone -n '${seen}' -l ${flagOf(name).slice(2)}${takesFile} -d '${option.about.replaceAll("'", '')}'`
      }),
    ),
  ].join('\n')

const aboutOf = (word: string): string => (word in commands ? commands[word as CommandName].about : '')

/** Returns the completion script of a shell, made from the declaration of the commands. */
export function completionScript(shell: string): string {
  const known = parseWord('The shell', shell, SHELLS)
  return { bash, zsh, fish }[known]()
}
