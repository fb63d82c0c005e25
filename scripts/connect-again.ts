// Node gives a connection of `fetch` ten seconds. A machine that is twenty times as busy may need longer to reach itself;
// nothing was sent then, so the request is made again.
const { fetch } = globalThis

const isConnectTimeout = (error: unknown): boolean =>
  error instanceof TypeError &&
  (error.cause as { readonly code?: unknown } | undefined)?.code === 'UND_ERR_CONNECT_TIMEOUT'

const MAX_ATTEMPTS = 5

async function fetchAgain(...request: Parameters<typeof fetch>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(...request)
    } catch (error) {
      if (!isConnectTimeout(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

// Runs before every test file, also where all files of a package share one module registry.
if (fetch.name !== fetchAgain.name) globalThis.fetch = fetchAgain
