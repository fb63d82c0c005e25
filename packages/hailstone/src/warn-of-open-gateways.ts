import { canParseUrl, isPrivateHost } from '@hailstone/runtime'
import type { Terminal } from './terminal.ts'

/** True for a `ws:` address of another building: whoever listens on the way sees who mines. */
const isOpen = (url: string): boolean => {
  if (!canParseUrl(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'ws:' && !isPrivateHost(hostname)
}

/** Writes one line to standard error for each gateway whose connection is not encrypted on its way through the internet. */
export function warnOfOpenGateways(urls: readonly string[], { warn }: Pick<Terminal, 'warn'>): void {
  for (const url of urls.filter(isOpen)) {
    warn(
      `The connection to ${url} is not encrypted: whoever listens on the way sees who mines. Use wss:// if it has it.`,
    )
  }
}
