import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'

/** A CommonJS package, and what has to be in it. */
export type WholeModuleParameters<Module> = {
  readonly name: string
  /**
   * Returns `import.meta.url` of the caller, whose dependency the package is. Called only if something is missing: a
   * module that was bundled for a snapshot has no address.
   */
  readonly from: () => string
  /** Names of functions and classes without which the package is of no use. */
  readonly parts: readonly (keyof Module & string)[]
}

/**
 * Returns the namespace that `import` gave, or the package as `require` loads it if names in the namespace have no
 * values. Node 20 was seen to give such namespaces now and then, while a process starts on a busy machine. All files of
 * the package are loaded again: some of those that are held may be half loaded, and others may refer to these.
 *
 * @throws {Error} if `require` gives no values either
 * @example
 * import * as imported from 'ws'
 * const ws = wholeModule(imported, { name: 'ws', from: () => import.meta.url, parts: ['WebSocket'] })
 */
export function wholeModule<Module extends object>(
  imported: Module,
  { name, from, parts }: WholeModuleParameters<Module>,
): Module {
  const isWhole = (module: Module): boolean => parts.every((part) => typeof module[part] === 'function')
  if (isWhole(imported)) return imported
  const require = createRequire(from())
  const folder = dirname(require.resolve(name)) + sep
  for (const path of Object.keys(require.cache)) if (path.startsWith(folder)) delete require.cache[path]
  const anew: Module = require(name)
  if (isWhole(anew)) return anew
  throw new Error(`The package ${name} has no ${parts.join(', ')}, imported or required.`)
}
