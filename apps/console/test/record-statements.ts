/** One statement as it was sent to a server. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] }

type Query = (this: unknown, text: unknown, ...more: readonly unknown[]) => unknown

/** Folder of the driver that the packages use. */
const driver = new URL('../../../packages/database/node_modules/pg/esm/index.mjs', import.meta.url).href

/** Returns every statement that the step sends to a server that is read, whoever builds it. */
export async function recordStatements(step: () => Promise<unknown>): Promise<readonly Statement[]> {
  const { Client } = (await import(driver)) as { readonly Client: { prototype: { query: Query } } }
  const { query } = Client.prototype
  const found: Statement[] = []
  Client.prototype.query = function (text, ...more) {
    if (typeof text === 'string' && /^\s*(?:select|with)\b/i.test(text))
      found.push({ text, values: (more[0] ?? []) as readonly unknown[] })
    return query.call(this, text, ...more)
  }
  try {
    await step()
  } finally {
    Client.prototype.query = query
  }
  return found
}
