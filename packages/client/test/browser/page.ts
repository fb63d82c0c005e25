import * as client from '../../src/browser.ts'

/** The code of the error with which something ends, since classes are lost when a value leaves a page. */
async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act()
    return 'done'
  } catch (error) {
    return String((error as { readonly code?: unknown }).code ?? error)
  }
}

// What the tests call from outside.
Object.assign(globalThis, { client, codeOf })
