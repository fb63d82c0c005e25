import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type ExplorerPage, explorerLink } from './explorer-link.ts'

it('leads to pages that the explorer of this kit has', () => {
  const views = readFileSync(new URL('../../../explorer/src/main.tsx', import.meta.url), 'utf8')
  for (const page of ['transaction', 'microblock', 'account'] satisfies ExplorerPage[]) {
    const { hash } = new URL(explorerLink('https://explorer.example/', page, 'ab12'))
    expect(hash).toBe(`#/${page}/ab12`)
    // The explorer chooses its view by the first part after the number sign.
    expect(views).toContain(`case '${hash.split('/')[1]}':`)
  }
})

it('stays below the folder in which an explorer is', () => {
  expect(explorerLink('https://example.org/chain/', 'account', '02ab')).toBe(
    'https://example.org/chain/#/account/02ab',
  )
  expect(explorerLink('https://example.org/#/', 'account', '02ab')).toBe('https://example.org/#/account/02ab')
})
