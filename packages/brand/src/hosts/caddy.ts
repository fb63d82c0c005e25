import { ROUTE_PATTERN } from './app-routes.ts'
import { BRIDGE_ADDRESS, type HostRules, IMMUTABLE, IMMUTABLE_FOLDER } from './host-rules.ts'

/** Prints a site for Caddy 2.6 and newer, which obtains the certificate itself. */
export const caddyfile = (
  rules: HostRules,
): string => `# Put this into /etc/caddy/Caddyfile and the built folder at /srv/${rules.id}.

${rules.hostName} {
	root * /srv/${rules.id}
	encode gzip

${headerRules(rules)}
${routeRules(rules.bridgePath)}${errorRules}}
`

/** Prints what serves the app, for a site that has more than the app: its `handle` block imports it. */
export const caddyApp = (rules: HostRules): string =>
  `# Imported where a site of Caddy serves the app.\n${headerRules(rules)}\n${routeRules(null)}`.replace(
    /^\t/gm,
    '',
  )

/** Prints how a site that serves the app answers errors. */
export const caddyErrors = (): string =>
  `# Imported by a site of Caddy that serves the app.\n${errorRules}`.replace(/^\t/gm, '')

const headerRules = ({ headers }: HostRules): string => `	header {
		Strict-Transport-Security "max-age=31536000"
${headers.map(([name, value]) => `\t\t${name} "${value}"`).join('\n')}
		-Server
	}
	header ${IMMUTABLE_FOLDER}* Cache-Control "${IMMUTABLE}"
	@changing not path ${IMMUTABLE_FOLDER}*
	header @changing Cache-Control "no-cache"
	header /manifest.webmanifest {
		Content-Type "application/manifest+json; charset=utf-8"
		defer
	}
	header /.well-known/apple-app-site-association {
		Content-Type "application/json"
		defer
	}
`

const routeRules = (
  bridgePath: string | null,
): string => `	# Routes of the app get its page. Everything else is a file, or missing.
	@route path_regexp ^/${ROUTE_PATTERN}$
	route {
${bridgePath === null ? '' : bridge(bridgePath)}		rewrite @route /index.html
		file_server
	}
`

const errorRules = `	handle_errors {
		header Cache-Control "no-store"
		respond "{http.error.status_code}"
	}
`

const bridge = (path: string): string => `		# hailstone bridge --behind-proxy, on this machine
		handle ${path} {
			rewrite * /
			reverse_proxy ${BRIDGE_ADDRESS} {
				header_up X-Forwarded-For {http.request.remote.host}
			}
		}
`
