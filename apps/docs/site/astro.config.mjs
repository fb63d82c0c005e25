import { readFileSync } from 'node:fs'
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

const { sidebar, title, description, outDir } = JSON.parse(readFileSync('generated.json', 'utf8'))

export default defineConfig({
  outDir,
  // Pages refer to each other by path alone, so the site works under any name; there is no sitemap without one.
  trailingSlash: 'always',
  telemetry: false,
  devToolbar: { enabled: false },
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  markdown: {
    shikiConfig: {
      themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      defaultColor: false,
    },
  },
  integrations: [
    starlight({
      title,
      description,
      sidebar,
      favicon: '/favicon.svg',
      expressiveCode: false,
      head: [{ tag: 'script', attrs: { src: '/wide.js', defer: true } }],
      customCss: ['./src/styles.css'],
      lastUpdated: false,
      credits: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
    }),
  ],
})
