import { join, resolve } from 'node:path'
import { checkBrandFolder, isReady } from '@hailstone/brand/tools'
import { appFolder, appTexts, brandFiles, readShell } from './build-brand.ts'
import { type Served, serveFiles } from './serve-files.ts'

export type ServeBrandParameters = {
  /** Folder of a brand, from the working folder. @default the example brand tidewater */
  readonly brandFolder?: string | undefined
  /** Port; 0 takes a free one. @default 0 */
  readonly port?: number | undefined
  /** Addresses of the network. @default those of the brand */
  readonly network?: BrandNetwork | undefined
  /** Further settings, which override all others. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined
  readonly environment?: 'dev' | 'staging' | 'prod' | undefined
  /** `android` serves the app of a package. @default 'web' */
  readonly target?: 'web' | 'android' | undefined
}

type BrandNetwork = {
  readonly apiUrl: string
  readonly gatewayUrl: string
  /** @default that of the preset, 64 zeros */
  readonly nativeTokenId?: string | undefined
}

/** Settings for a network on this machine, which override all others. */
const localNetwork = ({ apiUrl, gatewayUrl, nativeTokenId }: BrandNetwork) => ({
  preset: 'devnet',
  ...(nativeTokenId === undefined ? {} : { nativeToken: nativeTokenId }),
  api: apiUrl,
  poa: [gatewayUrl],
  faucet: `${apiUrl}/faucet`,
})

/**
 * Checks a brand and returns a function for its files. They are made on the first call, because drawing the icons
 * takes about a second.
 *
 * @throws {Error} if the app was not built, or the brand has errors, which the message lists
 */
export async function prepareBrand(
  parameters: Omit<ServeBrandParameters, 'port'> = {},
): Promise<() => ReturnType<typeof brandFiles>> {
  const { brandFolder = join(appFolder(), 'brands', 'tidewater'), network } = parameters
  const { environment = 'dev', target = 'web' } = parameters
  const flags = { ...(network === undefined ? {} : { network: localNetwork(network) }), ...parameters.flags }
  const catalogue = await appTexts()
  const report = await checkBrandFolder({
    folder: resolve(brandFolder),
    environment,
    target,
    flags,
    catalogue,
  })
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
    files ??= brandFiles(report, shell, undefined, target)
    return files
  }
}

/**
 * Serves the built app with a brand on loopback. Build the app first (`npm run build`).
 *
 * @throws {Error} if the app was not built, or the brand has errors, which the message lists
 */
export async function serveBrand({ port, ...brand }: ServeBrandParameters = {}): Promise<Served> {
  return serveFiles(await prepareBrand(brand), { port })
}
