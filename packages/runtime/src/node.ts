export { callableText } from './node/callable-text.ts'
export { type FileLock, fileLockHolder, type LockHolder, takeFileLock } from './node/file-lock.ts'
export { CommandLineError, readCommandLine, readCommandName } from './node/read-command-line.ts'
export { aboutPath, makeFolder, systemCause, systemFaultOf } from './node/system-fault.ts'
