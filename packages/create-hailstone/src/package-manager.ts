/** Package managers that a project can be made for. */
export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof packageManagers)[number]

export const isPackageManager = (text: string): text is PackageManager =>
  (packageManagers as readonly string[]).includes(text)

/**
 * Returns the package manager that started this process.
 *
 * @param userAgent `npm_config_user_agent`, such as `pnpm/12.21.0 npm/? node/v24.21.0 linux x64`
 */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const [name = ''] = (userAgent ?? '').split('/', 1)
  return isPackageManager(name) ? name : 'npm'
}

/** Returns the command line that installs the packages of a project. */
export const installCommand = (name: PackageManager): string => (name === 'yarn' ? 'yarn' : `${name} install`)

/** Returns the command line that runs a script of a project. */
export const runCommandLine = (name: PackageManager, script: string): string => {
  if (script === 'test') return name === 'bun' ? 'bun run test' : `${name} test`
  return name === 'npm' || name === 'bun' ? `${name} run ${script}` : `${name} ${script}`
}
