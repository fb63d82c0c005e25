import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { isPrivateHost } from '@hailstone/runtime'
import { type Served, type ServedFiles, serveFiles } from './serve-files.ts'

type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
>

/** Interfaces of containers and virtual machines, which no phone reaches. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|cni|podman)/

/** Returns the IPv4 addresses of this machine in local networks. Public addresses are not among them. */
export const localAddresses = (interfaces: Interfaces = networkInterfaces()): readonly string[] =>
  Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .filter(({ address, family, internal }) => family === 'IPv4' && !internal && isPrivateHost(address))
    .map(({ address }) => address)

/** The preview for phones in the local network. */
export type PhonePreview = {
  /** One address for each local network, each with a slash at the end. */
  readonly urls: readonly string[]
  readonly stop: () => Promise<void>
}

/**
 * Serves the app of the preview to the local networks of this machine: its files and nothing else. It listens on the
 * addresses of these networks alone.
 *
 * @throws {Error} if this machine is in no local network
 */
export async function servePhones(
  files: () => Promise<ServedFiles>,
  addresses: readonly string[] = localAddresses(),
): Promise<PhonePreview> {
  if (addresses.length === 0)
    throw new Error('This machine is in no local network, so that no phone can reach it.')
  const served: Served[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(served.map((one) => one.stop()))
  }
  try {
    for (const host of addresses) served.push(await serveFiles(files, { host }))
  } catch (error) {
    await stop()
    throw error
  }
  return { urls: served.map(({ url }) => url), stop }
}
