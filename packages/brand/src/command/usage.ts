export const usage = `Usage: hailstone-brand <command> [brand] [options]

A brand is a folder with brand.ts (or brand.json), assets/ and i18n/. Name it by path, or by id if it is in ./brands.
Without a name, the current folder is used.

Commands
  new [folder]      create a folder for a brand, with its package.json; prompts for missing options. A colour with too
                    little contrast becomes the nearest one that has enough
      --name TEXT --id ID --token HASH --primary #rrggbb --network mainnet|testnet|devnet|custom
      --look harbour|ember|meadow|orchid|slate|dune|frost|coral|ink|moss, a finished look to begin with
      --ticker ABC --decimals N --api URL --gateway URL --logo FILE --icon FILE --dir FOLDER
  check [brand]     find mistakes; --online also checks the network and the links; --json for programs
      --deployed URL  compare what is served there with the brand: files, links, headers, caching, gateways
  assets [brand]    draw all icons and pictures; --out FOLDER, --only web|android|ios (repeatable)
  language TAG [brand]   begin the file of a language that the app lacks, with every text in English; again after an
                    update, to add the new ones
  diff A B          show differences; each is a brand, or a brand and environment such as acme#prod
  promote [brand]   take the settings of one environment over into a later one: show what changes, check, ask, write.
                    Network, token and agent stay those of each; --set gives the later one its own
      --from dev|staging (dev) --to staging|prod (prod) --online --dry-run --yes
  upgrade [brand]   change a brand of an older schema version to the newest one, and print what differs;
      --check         write nothing, and end with 1 if there is something to write
  preview [brand…]  serve a page to edit brands and preview them on four phones (needs the app); --phone serves the
                    previewed app, not the editor, to phones in the local network as well
  build [brand…]    build the app, or a Capacitor project with --target android|ios; --out FOLDER, with a
                    subfolder for each of several brands; --sign-key FILE signs the build manifest;
                    --host static|nginx|caddy|apache|cloudflare|netlify|github-pages|s3 writes what that host reads
  build --verify FOLDER   compare a folder with its manifest; --public-key FILE checks the signature; --json
  doctor            check that everything the other commands need is present

Options
  --env dev|staging|prod        environment of the brand (dev)
  --target web|pwa|android|ios  platform (web)
  --set path=value              override a setting, such as --set theme.mode=dark (repeatable)
  --online                      check, preview and build: ask the network too
  --api URL --gateway URL       the same: use these instead of the brand's, such as those that \`hailstone-network\` prints
  --help                        print this
  --version                     print the version

Exit code: 0 no errors, 1 errors, 2 a host was unreachable.`

/** Returns the lines of the usage about one command, and those about the options of all. */
export function usageOf(command: string): string {
  const lines = usage.split('\n')
  const [from, to] = [lines.indexOf('Commands') + 1, lines.indexOf('Options')]
  let isMeant = false
  const own = lines.slice(from, to).filter((line) => {
    const begun = /^ {2}(\w+)/.exec(line)?.[1]
    isMeant = begun === undefined ? isMeant : begun === command
    return isMeant
  })
  return [`Usage: hailstone-brand ${command} [brand] [options]`, '', ...own, '', ...lines.slice(to)].join(
    '\n',
  )
}
