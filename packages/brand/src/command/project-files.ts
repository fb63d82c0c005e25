import type { NewAnswers } from './new-answers.ts'

const encoder = new TextEncoder()

/** Returns what makes the folder of a brand a project of its own: one dependency, scripts, and the first steps. */
export function projectFiles(
  { id, name, network }: NewAnswers,
  version: string,
): ReadonlyMap<string, Uint8Array> {
  const manifest = {
    name: id,
    private: true,
    version: '0.0.0',
    type: 'module',
    scripts: {
      preview: 'hailstone-brand preview',
      check: 'hailstone-brand check --online',
      build: 'hailstone-brand build',
      brand: 'hailstone-brand',
    },
    dependencies: { '@hailstone/white-label': `^${version}` },
  }
  return new Map([
    ['package.json', encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['.gitignore', encoder.encode('node_modules/\ndist/\ndeploy/\nandroid/\nios/\n*.before\n*.pem\n')],
    ['README.md', encoder.encode(readme(name, network))],
  ])
}

const readme = (
  name: string,
  network: string,
): string => `# ${name.replace(/[\\`*_{}[\]<>()#+!|-]/g, (mark) => `\\${mark}`)}

A mining app under its own name. The app comes as a package; this folder holds what is different.

\`\`\`
npm install
npm run preview
\`\`\`

The second command prints the address of a page on which the brand is changed, beside phones that run the app.${
  network === 'devnet'
    ? `
They mine on a network of this machine: start it in another terminal with \`hailstone-network\`, or with
\`npm run network\` in a clone of Hailstone.`
    : ''
}

| Command | What it does |
| --- | --- |
| \`npm run check\` | finds mistakes in the brand, and asks its network |
| \`npm run build\` | writes the app into \`dist/\` |
| \`npm run brand -- promote\` | brings what was tried into production: shows what changes, checks it, asks |

\`brand.ts\` holds every setting; an editor completes and explains them. \`assets/\` holds logo and icon: all other pictures
are drawn from them. \`i18n/<language>.json\` words single texts anew;
\`npm run brand -- language nl\` begins a language that the app lacks.

Publish: \`npm run brand -- build --env prod --host nginx\`, or another host: caddy, apache, cloudflare, netlify,
github-pages, s3. Then prove it: \`npm run brand -- check --env prod --deployed https://…\`

Update: \`npm update && npm run build\` says which version of the app was used last and now. A brand of an older
schema version goes on working; \`npm run brand -- upgrade\` changes it to the newest.
`
