// Pages of the folders that have none of their own: what is in them, in the order of the sidebar.

const folders = [
  ['tutorials', 'Tutorials', 'Step by step, from the first reward to tests with a local network.'],
  ['how-to', 'How to', 'Recipes for one task each.'],
  ['reference', 'Reference', 'Commands, events, errors, settings and interfaces.'],
  ['explanation', 'Explanation', 'How it works, and why it works that way.'],
  ['packages', 'Packages', 'What each package is for.'],
]

const LAST = 1_000
const orderOf = ({ order = LAST }) => order

/** Returns a page for each folder, with links to the pages directly in it. */
export const indexPages = (written) =>
  folders.map(([name, title, description]) => {
    const inside = written
      .filter(({ url }) => url.startsWith(`/${name}/`) && /^\/[^/]+\/[^/]+\/$/.test(url))
      .sort((one, other) => orderOf(one) - orderOf(other) || one.title.localeCompare(other.title, 'en'))
    const lines = inside.map((page) => `- [${page.title}](${page.url})`)
    return { url: `/${name}/`, title, description, label: 'Overview', order: 0, body: lines.join('\n') }
  })
