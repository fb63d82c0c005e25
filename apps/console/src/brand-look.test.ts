import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contrastRatio, TEXT_CONTRAST } from '@hailstone/brand/check'
import { expect, it } from 'vitest'
import { readBrandLook } from './brand-look.ts'

const brands = fileURLToPath(new URL('../../white-label/brands/', import.meta.url))

it.each(['tidewater', 'jamr'])(
  'has colours of %s that can be read on each other, in both modes',
  async (name) => {
    const { css, icon } = await readBrandLook(join(brands, name))
    expect(icon.type).toBe('image/svg+xml')
    const modes = css.split('@media')
    expect(modes.length).toBe(2)
    for (const mode of modes) {
      const colours = new Map(
        Array.from(mode.matchAll(/--([\w-]+):(#[\da-f]{6})/g), ([, key = '', value = '']) => [key, value]),
      )
      for (const front of ['text', 'muted', 'accent', 'bad', 'line-1', 'line-2', 'line-3', 'line-4'])
        for (const back of ['ground', 'raised']) {
          const ratio = contrastRatio(colours.get(front) ?? '', colours.get(back) ?? '')
          expect([front, back, ratio >= TEXT_CONTRAST]).toStrictEqual([front, back, true])
        }
    }
  },
)

it('is refused with its faults where the check of brands refuses it, or the folder is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-look-'))
  try {
    await expect(readBrandLook(join(folder, 'none'))).rejects.toThrow('cannot be shown')
    await cp(join(brands, 'jamr'), folder, { recursive: true })
    await rm(join(folder, 'brand.ts'))
    await writeFile(join(folder, 'brand.json'), JSON.stringify({ schema: 1, id: 'jamr', app: { name: 7 } }))
    await expect(readBrandLook(folder)).rejects.toThrow(/hailstone-brand check[\s\S]*app\.name/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
