import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { checkBrandFolder, isReady, type ShellModule, type ShellRequest } from '@hailstone/brand/tools'
import { appFolder, brandFiles, buildBrand, buildNative, readShell } from './tools/build-brand.ts'
import { serveFiles } from './tools/serve-files.ts'

const PORT = 4420
const SETTLE_MS = 150

const check = ({ brandFolder: folder, environment, target, flags }: ShellRequest) =>
  checkBrandFolder({ folder, environment, target, flags })

/** Writes a brand's app, ready for any static host, or a Capacitor project for --target android and ios. */
export const build: ShellModule['build'] = async (request) => {
  const report = await check(request)
  if (!isReady(report) || report.brand === null) return 1
  const { id, app } = report.brand
  const { target } = request
  const isNative = target === 'android' || target === 'ios'
  const out = request.out ?? join(appFolder(), 'builds', isNative ? `${id}-${target}` : id)
  await (isNative ? buildNative(report, target, out) : buildBrand(report, out))
  const next = isNative ? `; go on with ${join(out, 'STEPS.md')}` : ''
  process.stdout.write(`built ${app.name} into ${out}${next}\n`)
  return 0
}

/** Serves a brand's app and builds it anew whenever its folder changes; runs until it is interrupted. */
export const preview: ShellModule['preview'] = async (request) => {
  const shell = await readShell()
  const first = await check(request)
  if (first.brand === null) return 1
  let files = await brandFiles(first, shell)
  const served = await serveFiles(() => files, { port: PORT })
  process.stdout.write(`${first.brand.app.name}: ${served.url}\n`)
  let timer: ReturnType<typeof setTimeout> | undefined
  const rebuild = async (): Promise<void> => {
    const report = await check(request)
    if (report.brand !== null) files = await brandFiles(report, shell)
    process.stdout.write(
      report.brand === null ? 'not shown: mend the errors first\n' : 'changed: reload the page\n',
    )
  }
  const watcher = watch(request.brandFolder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(
      () => void rebuild().catch((error: unknown) => process.stderr.write(`${error}\n`)),
      SETTLE_MS,
    )
  })
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  watcher.close()
  await served.stop()
  return 0
}
