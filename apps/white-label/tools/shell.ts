import { once } from 'node:events'
import { basename, dirname, join } from 'node:path'
import {
  assertNoLink,
  checkBrandFolder,
  ForeignFileError,
  isReady,
  type ShellModule,
  type ShellRequest,
  type WriteBuildParameters,
  writeBuild,
} from '@hailstone/brand/tools'
import { appTexts, appVersion, buildBrand, readShell } from './build-brand.ts'
import { buildList } from './build-list.ts'
import { changesSince, lastBuild } from './last-build.ts'
import { defaultOut, deployFolder, foreignFile } from './out-folder.ts'
import { serveWizard } from './serve-wizard.ts'

const PORT = 4420

const check = async ({ brandFolder: folder, environment, target, flags }: ShellRequest) =>
  checkBrandFolder({ folder, environment, target, flags, catalogue: await appTexts() })

/**
 * Builds a brand's app for any static host, or a Capacitor project for `--target android` and `ios`, with its
 * manifest.
 */
export const build: ShellModule['build'] = async (request) => {
  const report = await check(request)
  if (!isReady(report) || report.brand === null) return 1
  const { id, app } = report.brand
  const { target } = request
  const isNative = target === 'android' || target === 'ios'
  const out = request.out ?? defaultOut(request.brandFolder, id, isNative ? target : undefined)
  const foreign = await foreignFile(out, request.brandFolder)
  if (foreign !== null) {
    process.stderr.write(`Nothing was built: ${foreign}. Name another folder with --out.\n`)
    return 1
  }
  const before = await lastBuild(out)
  const built = await buildBrand(report, out, { target, host: request.host })
  const deploy = deployFolder(out)
  const list = await buildList(request, report, built)
  const parts = { out, deploy, list, files: built.files, beside: built.beside }
  const left = await written(parts, request.out !== undefined)
  if (left === null) return 1
  const next = isNative ? `; go on with ${join(out, 'STEPS.md')}` : ''
  const lines = [
    `built ${app.name} into ${out} with version ${await appVersion()} of the app${next}`,
    ...(built.beside.size > 0 ? [`for the host: ${[...built.beside.keys()].join(', ')} in ${deploy}`] : []),
    ...left.map((path) => `${path} is of an earlier build and was changed since: it was left`),
    ...changesSince(before, await lastBuild(out)),
  ]
  for (const line of lines) process.stdout.write(`${line}\n`)
  return 0
}

/** Writes a build. Null if something of others is in the way, which is named then. */
async function written(built: WriteBuildParameters, isNamed: boolean): Promise<readonly string[] | null> {
  try {
    // The folder of a stranger's brand may have links of these names.
    if (!isNamed)
      for (const folder of [built.out, built.deploy]) await assertNoLink(dirname(folder), basename(folder))
    return await writeBuild(built)
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    process.stderr.write(`${error.message}\n`)
    return null
  }
}

/** Serves the page on which partners edit brands and preview them. Resolves after SIGINT or SIGTERM. */
export const preview: ShellModule['preview'] = async (request) => {
  const report = await check(request)
  if (report.brand === null) return 1
  const served = await serveWizard(request, await readShell(), { port: PORT })
  process.stdout.write(`${report.brand.app.name}: ${served.url}\n`)
  for (const url of served.phoneUrls)
    process.stdout.write(
      `on your phone: ${url} – everybody in this network can open the app there, but not the editor\n`,
    )
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const lost = served.unsaved()
  if (lost.length > 0) process.stdout.write(`not saved: ${lost.join(', ')}\n`)
  await served.stop()
  return 0
}
