export { assertNoLink, assertPlainFiles, ForeignFileError } from '@hailstone/runtime/node'
export { type GenerateAssetsParameters, generateAssets } from './assets/generate-assets.ts'
export { openPictureCheck, type PictureCheck } from './assets/picture-findings.ts'
export type { PictureSet } from './assets/picture-plan.ts'
export {
  type BuildManifest,
  MANIFEST_NAME,
  printBuildManifest,
  readBuildManifest,
  SIGNATURE_NAME,
} from './build/build-manifest.ts'
export type { Signer } from './build/signing-keys.ts'
export { isBuildFolder, type WriteBuildParameters, writeBuild } from './build/write-build.ts'
export * from './check.ts'
export type { CommandIo, ExitCode } from './command/command-io.ts'
export { type PlannedBrand, planNewBrand } from './command/new-command.ts'
export { runCommand } from './command/run-command.ts'
export { startCommand } from './command/start-command.ts'
export {
  type CheckBrandFolderParameters,
  checkBrandFolder,
  type FolderReport,
  folderNameOf,
  isReady,
} from './files/check-brand-folder.ts'
export {
  findShell,
  runShell,
  type Shell,
  type ShellModule,
  type ShellRequest,
  shellCatalogue,
} from './files/find-shell.ts'
export { brandFileOf, type LoadedConfig, loadBrandConfig } from './files/load-brand-config.ts'
export { readBrandFiles } from './files/read-brand-files.ts'
export { rebasedBrand, type WriteBrandFileParameters, writeBrandFile } from './files/write-brand-file.ts'
export { writeFiles } from './files/write-files.ts'
export { type HostFiles, type HostFilesParameters, hostFiles } from './hosts/host-files.ts'
export { type HostName, hostNames } from './hosts/host-rules.ts'
export type { BrandProbe, HailOutcome } from './online/brand-probe.ts'
export { type CheckBrandOnlineParameters, checkBrandOnline } from './online/check-brand-online.ts'
export { createBrandProbe } from './online/create-brand-probe.ts'
export { createToken, type TokenCreation, type TokenPayment } from './online/create-token.ts'
export { hailGateway } from './online/hail-gateway.ts'
export { readTokenSlot, slotSentence } from './online/token-slot.ts'
export type { TokenWish } from './online/token-wish.ts'
export { isLookName, type Look, type LookName, lookNames, looks } from './theme/looks.ts'
