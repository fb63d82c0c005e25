import { basename, dirname, resolve } from 'node:path'

/** Where a brand is made: who is asked, and where lines go. */
type BrandSurroundings = {
  readonly say: (text: string) => void
  readonly complain: (text: string) => void
  readonly ask?: ((question: string) => Promise<string>) | undefined
}

/** Returns the name of the app that a folder suggests: `my-brand` gives `My brand`. */
export function nameFrom(folder: string): string {
  const words = basename(resolve(folder))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 30)
  return words === '' ? 'My brand' : `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/**
 * Plans the files of a new brand with the questions and checks of `hailstone-brand new`. Resolves to a function that
 * writes them and returns the line that counts its findings.
 *
 * @param words options of `hailstone-brand new`
 * @throws {CommandLineError} for an answer that is missing or wrong
 */
export async function planBrand(
  folder: string,
  words: readonly string[],
  { say, complain, ask }: BrandSurroundings,
): Promise<() => Promise<readonly string[]>> {
  // Loaded where it is needed: the other templates start without it.
  const { planNewBrand } = await import('@hailstone/brand/tools')
  const io = { cwd: dirname(resolve(folder)), write: say, complain, ask }
  const { write } = await planNewBrand([...words, '--', resolve(folder)], io)
  return async () => (await write()).slice(-1)
}
