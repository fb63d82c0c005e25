import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import type { ServedFiles } from '../tools/serve-files.ts'

/** Faults that no page may have: exceptions, policy violations, requests to other hosts. */
export type FaultWatch = {
  /** In order of arrival; one fault may be reported several times. */
  readonly faults: string[]
  readonly watchPage: (page: Page) => void
  /** Returns the files with a policy that reports each violation, in pages and workers. */
  readonly withReports: (files: ServedFiles) => ServedFiles
  readonly stop: () => Promise<void>
}

const POLICY = 'Content-Security-Policy: '

/** Serves the address to which browsers post policy violations. */
async function startReports(onReport: (text: string) => void) {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    onReport(text)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/`, stop }
}

export async function watchFaults(): Promise<FaultWatch> {
  const faults: string[] = []
  const reports = await startReports((text) => {
    const { 'csp-report': report } = JSON.parse(text) as { readonly 'csp-report': Record<string, string> }
    faults.push(
      `reported ${report['effective-directive']} ${report['blocked-uri']} in ${report['document-uri']}`,
    )
  })

  function watchPage(page: Page): void {
    page.on('pageerror', (error) => faults.push(`threw ${error.message}`))
    page.on('console', (message) => {
      const text = message.text()
      if (/Content Security Policy|Trusted ?Type/i.test(text)) faults.push(`said ${text}`)
    })
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      if (!['data:', 'blob:'].includes(protocol) && !['127.0.0.1', 'localhost'].includes(hostname))
        faults.push(`asked ${request.url()}`)
    })
  }

  return {
    faults,
    watchPage,
    withReports: (files) => {
      const headers = new TextDecoder().decode(files.get('_headers'))
      if (!headers.includes(POLICY)) throw new Error('These files have no policy.')
      const reported = headers.replace(new RegExp(`${POLICY}.*`), `$&; report-uri ${reports.url}`)
      return new Map([...files, ['_headers', new TextEncoder().encode(reported)]])
    },
    stop: reports.stop,
  }
}
