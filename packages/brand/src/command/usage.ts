export const usage = `Usage: brand <command> [brand] [options]

A brand is a folder with brand.ts (or brand.json), assets/ and i18n/. Name it by path, or by id when it lies in
apps/white-label/brands or ./brands; without a name the folder you are in is meant.

Commands
  new               make a brand: asks what you do not give as options
      --name TEXT --id ID --token HASH --primary #rrggbb --network mainnet|testnet|devnet|custom
      --ticker ABC --decimals N --api URL --gateway URL --logo FILE --icon FILE --dir FOLDER
  check [brand]     look for mistakes; --online also asks the network and the links
  assets [brand]    draw all icons and pictures; --out FOLDER, --only web|android|ios (repeatable)
  diff A B          what differs; each is a brand, or a brand and environment as acme#prod
  preview [brand…]  a page to change brands and see them in four phones (comes with the white-label app)
  build [brand…]    build the app, with --target android|ios a Capacitor project; --out FOLDER, of several
                    brands one folder in it each; --sign-key FILE signs the list of what was built
  build --verify FOLDER   is it what was built? --public-key FILE also asks by whom
  doctor            is everything here that the other commands need?

Options
  --env dev|staging|prod        which environment of the brand (dev)
  --target web|pwa|android|ios  for where (web)
  --set path=value              a setting above all layers, as --set theme.mode=dark (repeatable)
  --json                        findings for programs

Exit code: 0 fine, 1 errors, 2 something could not be reached.`
