import type { Exit } from './exit-codes.ts'

/** Failure of a command that has its own exit code and next step. Its message contains no secret. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exit: Exit
  readonly nextStep: string

  constructor(message: string, exit: Exit, nextStep: string, options?: ErrorOptions) {
    super(message, options)
    this.exit = exit
    this.nextStep = nextStep
  }
}

const systemFaults: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an error',
  EMFILE: 'this process has too many open files',
  ENFILE: 'the system has too many open files',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
}

/**
 * Describes an error of the file system by its path and cause.
 *
 * @returns null if the error is of another kind
 */
export function systemFaultOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null
  const fault = systemFaults[String(error.code)]
  return fault === undefined ? null : `${String(error.path)}: ${fault} (${String(error.code)}).`
}
