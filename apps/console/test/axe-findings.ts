import axe from 'axe-core'

/**
 * Returns what axe finds on a page, each with the first element it concerns. The policy of the page refuses a script in
 * its text; the debugger's own is let in.
 */
export const axeFindings = (page: {
  readonly evaluate: (text: string) => Promise<unknown>
}): Promise<readonly string[]> =>
  page.evaluate(
    `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  ) as Promise<readonly string[]>
