export { type FileLock, fileLockHolder, type LockHolder, takeFileLock } from './node/file-lock.ts'
