export { addressBlock } from './node/address-block.ts'
export { askLine } from './node/ask-line.ts'
export { callableText } from './node/callable-text.ts'
export { type FileLock, fileLockHolder, type LockHolder, takeFileLock } from './node/file-lock.ts'
export { type ConnectionLimit, limitConnections, servingTimes } from './node/limit-connections.ts'
export { openFilesLimit } from './node/open-files-limit.ts'
export { isDetached, outliveTerminal, unblockTerminal } from './node/outlive-terminal.ts'
export {
  assertFolder,
  assertOwnFiles,
  createFiles,
  type FileContents,
  hasOwnList,
  type ListFile,
  type OwnList,
  removeOwn,
  type UpdateOwnFilesParameters,
  updateFolder,
  updateOwnFiles,
} from './node/own-files.ts'
export {
  assertNoLink,
  assertPlainFiles,
  createFile,
  ForeignFileError,
  moveFile,
  replaceFile,
} from './node/plain-files.ts'
export { fetchThroughProxy, outwardConnector, ProxyError, proxyOf, throughProxy } from './node/proxy.ts'
export { CommandLineError, readCommandLine, readCommandName } from './node/read-command-line.ts'
export {
  type Announcement,
  announceProcess,
  dataFolderOf,
  type ProcessPlace,
  RUNNING,
  type RunningProcess,
  runningProcesses,
  takeProcessPlace,
} from './node/running-process.ts'
export { openModeOf, openSecretWarning } from './node/secret-file.ts'
export { aboutPath, makeFolder, systemCause, systemFaultOf } from './node/system-fault.ts'
export { type WholeModuleParameters, wholeModule } from './node/whole-module.ts'
export { hiddenIn, writtenLines, writtenText } from './node/written-text.ts'
