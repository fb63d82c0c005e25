import { join } from 'node:path'
import { checkBrandFolder, isReady } from '@hailstone/brand/tools'
import { appFolder, brandFiles, readShell } from './build-brand.ts'
import { type Served, serveFiles } from './serve-files.ts'

export type ServeBrandParameters = {
  /** A folder with a brand. @default the example brand tidewater */
  readonly brandFolder?: string | undefined
  /** 0 takes any free one. @default 0 */
  readonly port?: number | undefined
  /** Where the network is. @default what the brand says */
  readonly network?: { readonly apiUrl: string; readonly gatewayUrl: string } | undefined
  /** More settings, the highest layer. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined
  readonly environment?: 'dev' | 'staging' | 'prod' | undefined
}

/** Settings of the highest layer for a network on this machine. */
const localNetwork = ({ apiUrl, gatewayUrl }: NonNullable<ServeBrandParameters['network']>) => ({
  preset: 'devnet',
  api: apiUrl,
  poa: [gatewayUrl],
  faucet: `${apiUrl}/faucet`,
})

/**
 * Checks a brand and says how its files are made, which is done once, when they are first asked for: drawing the
 * icons takes a second, and whoever starts a server does not wait for it.
 *
 * @throws {Error} when the app was not built, or the brand has errors: they are in the message
 */
export async function prepareBrand(
  parameters: Omit<ServeBrandParameters, 'port'> = {},
): Promise<() => ReturnType<typeof brandFiles>> {
  const { brandFolder = join(appFolder(), 'brands', 'tidewater'), network, environment = 'dev' } = parameters
  const flags = { ...(network === undefined ? {} : { network: localNetwork(network) }), ...parameters.flags }
  const report = await checkBrandFolder({ folder: brandFolder, environment, target: 'web', flags })
  if (!isReady(report)) {
    const errors = report.findings.filter(({ severity }) => severity === 'error')
    throw new Error(
      errors
        .map(({ path, code, expected, found }) => `${path}: ${code}, expected ${expected}, found ${found}`)
        .join('\n'),
    )
  }
  const shell = await readShell()
  let files: ReturnType<typeof brandFiles> | undefined
  return () => {
    files ??= brandFiles(report, shell)
    return files
  }
}

/**
 * Serves the built app with a brand on loopback. The app has to be built before (`npm run build`).
 *
 * @throws {Error} when the app was not built, or the brand has errors: they are in the message
 */
export async function serveBrand({ port, ...brand }: ServeBrandParameters = {}): Promise<Served> {
  return serveFiles(await prepareBrand(brand), { port })
}
