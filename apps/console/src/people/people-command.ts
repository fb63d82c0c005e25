import { keptPlaceOf, placeFlags } from '@hailstone/database'
import { openIndex } from '@hailstone/indexer'
import { plainText } from '@hailstone/protocol'
import { CommandLineError, readCommandLine, readCommandName } from '@hailstone/runtime/node'
import { createApiTokens } from './api-tokens.ts'
import { askNewPassword } from './ask-password.ts'
import { openPeopleTables } from './people-tables.ts'
import { createPersonStore, type Person, type PersonStore } from './person-store.ts'
import { RefusedError } from './refused-error.ts'
import { type Role, roles } from './roles.ts'
import { totpUri } from './totp.ts'

export const PEOPLE_HELP = `npm run console -- people …, tokens … – who may sign in

  people list                      names, roles and second factors
  people add NAME --role ROLE      adds a person and asks for a password; the first one is an owner
  people password NAME             sets a new password and ends the sessions of the person
  people totp NAME                 makes a second factor for an authenticator app, in use at once
  people totp NAME --off           removes it, for a person who lost the device
  people remove NAME               removes a person with sessions and tokens
  tokens list                      tokens of the API
  tokens remove NUMBER             ends a token

  --data DIR    tables that the console keeps
  --database U  the same on a PostgreSQL server, postgres://…
  --database-file F  the same, with the URL read from a file or from HAILSTONE_DATABASE
  --role ROLE   ${roles.join(', ')}

A password is asked for on the terminal, or is the first line of standard input. With --data, stop the console first, or
use its page "People and tokens".`

const flags = {
  ...placeFlags,
  role: { type: 'string' },
  off: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Writes one line, in which names can stand that came from elsewhere. */
const say = (line: string): void => void process.stdout.write(`${plainText(line)}\n`)

function roleOf(text: string | undefined): Role {
  const role = roles.find((one) => one === text)
  if (role === undefined) throw new CommandLineError(`--role is one of ${roles.join(', ')}.`)
  return role
}

async function personOf(people: PersonStore, name: string | undefined): Promise<Person> {
  if (name === undefined) throw new CommandLineError('The name of the person is missing.')
  const person = await people.findByName(name)
  if (person === undefined) throw new RefusedError(404, `Nobody has the name "${name}".`)
  return person
}

const day = (date: Date): string => date.toISOString().slice(0, 10)

async function listPeople(people: PersonStore): Promise<void> {
  const all = await people.list()
  if (all.length === 0) return say('Nobody yet: links of the command sign in.')
  for (const { name, role, hasTotp, createdAt } of all)
    say(
      `${name.padEnd(24)} ${role.padEnd(8)} ${hasTotp ? 'second factor' : 'password only'}  since ${day(createdAt)}`,
    )
}

type Options = { readonly role?: string | undefined; readonly off: boolean }

const peopleCommands: Readonly<
  Record<string, (people: PersonStore, name: string | undefined, options: Options) => Promise<void>>
> = {
  list: (people) => listPeople(people),
  async add(people, name, options) {
    if (name === undefined) throw new CommandLineError('The name of the person is missing.')
    const role = roleOf(options.role)
    const person = await people.add({ name, role, password: await askNewPassword() }, null)
    say(`${person.name} can sign in as ${role}.`)
  },
  async password(people, name) {
    const { id, name: found } = await personOf(people, name)
    await people.change(id, { password: await askNewPassword() }, null)
    say(`${found} has a new password and is signed out everywhere.`)
  },
  async totp(people, name, { off }) {
    const { id, name: found } = await personOf(people, name)
    if (off) {
      await people.change(id, { removeTotp: true }, null)
      return say(`${found} signs in with the password alone.`)
    }
    const secret = await people.setTotp(id, null)
    say(`Enter this in the authenticator app of ${found}; it is asked for from now on:`)
    say('')
    say(totpUri(secret, { name: found, issuer: 'console' }))
  },
  async remove(people, name) {
    const { id, name: found } = await personOf(people, name)
    await people.remove(id, null, { isLast: true })
    say(`${found} is removed, with all sessions and tokens.`)
  },
}

const tokenCommands: Readonly<
  Record<string, (people: PersonStore, id: string | undefined) => Promise<void>>
> = {
  async list(people) {
    const tokens = await createApiTokens(people).list()
    if (tokens.length === 0) return say('No tokens yet.')
    for (const { id, label, role, by, expiresAt } of tokens)
      say(`${String(id).padEnd(6)} ${label.padEnd(24)} ${role.padEnd(8)} by ${by}, until ${day(expiresAt)}`)
  },
  async remove(people, id) {
    if (id === undefined || !/^\d{1,9}$/.test(id))
      throw new CommandLineError('The number of the token is missing; "tokens list" has it.')
    await createApiTokens(people).remove(Number(id), null)
    say(`Token ${id} is removed.`)
  },
}

/** Runs a command about people or tokens over the tables that the console keeps. */
export async function runPeopleCommand(words: readonly string[]): Promise<void> {
  const { values, positionals } = readCommandLine({
    args: [...words],
    options: flags,
    allowPositionals: true,
  })
  const [group = '', command = '', subject, ...more] = positionals
  if (values.help || command === '') return void process.stdout.write(`${PEOPLE_HELP}\n`)
  const commands = group === 'people' ? peopleCommands : tokenCommands
  const run = commands[readCommandName(command, Object.keys(commands))]
  if (more.length > 0) throw new CommandLineError('A name with spaces is written in quotes.')
  const { role, off } = values
  const whole = `${group} ${command}`
  if (role !== undefined && whole !== 'people add')
    throw new CommandLineError('--role belongs to people add. Leave it out.')
  if (off && whole !== 'people totp')
    throw new CommandLineError('--off belongs to people totp. Leave it out.')
  if (command === 'list' && subject !== undefined)
    throw new CommandLineError(`${whole} lists all: leave "${subject}" out.`)
  const { folder, database, warnings } = keptPlaceOf(values, process.env)
  if ((folder ?? database) === undefined)
    throw new CommandLineError('Name the tables that the console keeps, with --data DIR or --database URL.')
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
  await using index = await openIndex({ folder, database })
  const people = createPersonStore({ queries: await openPeopleTables(index) })
  await run?.(people, subject, { role, off })
}
