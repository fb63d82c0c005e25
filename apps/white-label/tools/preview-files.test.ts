import { join } from 'node:path'
import { checkBrandFolder } from '@hailstone/brand/tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { appFolder, brandFiles, readShell, readWizard } from './build-brand.ts'
import { type PreparedScreenName, preparedFiles, previewScreens } from './preview-files.ts'

const decoder = new TextDecoder()
/** Begin of what the engine of the preview says where a wallet would be needed. */
const REFUSED = 'The preview has no wallet'

let app: Awaited<ReturnType<typeof brandFiles>>
let prepared: (screen: PreparedScreenName) => ReturnType<typeof preparedFiles>
beforeAll(async () => {
  const folder = join(appFolder(), 'brands', 'tidewater')
  const report = await checkBrandFolder({ folder, environment: 'dev', target: 'web' })
  const { brand } = report
  if (brand === null) throw new Error('The brand is good.')
  app = await brandFiles(report, await readShell())
  const { preview: scripts } = await readWizard()
  prepared = (screen) => preparedFiles(app, { screen, brand, scripts, ancestors: 'http://127.0.0.1:1' })
})

const names = previewScreens.flatMap(({ name }) => (name === 'welcome' ? [] : [name]))

describe('a phone of the preview', () => {
  it.each(names)(
    'has the built app with another engine, in an account whose first run is done: %s',
    (screen) => {
      const files = prepared(screen)
      const changed = [...files].flatMap(([path, bytes]) => (app.get(path) === bytes ? [] : [path])).sort()
      expect(changed).toEqual([
        '_headers',
        expect.stringMatching(/^assets\/worker-/),
        'index.html',
        'preview/engine.js',
        'preview/page.js',
      ])
      expect([...app.keys()].filter((path) => !files.has(path))).toEqual(['service-worker.js'])
      expect(decoder.decode(files.get('preview/engine.js'))).toContain(`"screen":"${screen}"`)
      const page = decoder.decode(files.get('index.html'))
      expect(page).toContain(`&quot;screen&quot;:&quot;${screen}&quot;`)
      // The choices are there before the app reads them.
      expect(page.indexOf('/preview/page.js')).toBeLessThan(page.indexOf('</head>'))
      expect(page).toMatch(/<script src="\/preview\/page\.js"><\/script><\/head>/)
    },
  )

  it('is in no build of a brand, with or without mining', async () => {
    const { mining, wallet } = await readShell()
    const engine = decoder.decode(prepared('mining').get('preview/engine.js'))
    expect(engine).toContain(REFUSED)
    for (const files of [app, mining, wallet]) {
      const found = [...files].filter(
        ([path, bytes]) =>
          path.startsWith('preview/') ||
          [REFUSED, 'previewed'].some((word) => decoder.decode(bytes).includes(word)),
      )
      expect(found.map(([path]) => path)).toEqual([])
    }
  })
})
