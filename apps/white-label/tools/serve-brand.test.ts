import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { prepareBrand } from './serve-brand.ts'

it('reads a brand from the working folder, as the command does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-served-'))
  try {
    // A program is loaded beside its modules: it needs the whole path.
    await writeFile(join(folder, 'brand.ts'), 'export default { schema: 7 }')
    await expect(prepareBrand({ brandFolder: relative(process.cwd(), folder) })).rejects.toThrow('E006')
  } finally {
    await rm(folder, { recursive: true })
  }
})
