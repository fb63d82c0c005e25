import { BRIDGE_ADDRESS, type HostRules, IMMUTABLE, IMMUTABLE_FOLDER } from './host-rules.ts'

/** Prints a site for Caddy 2.6 and newer, which obtains the certificate itself. */
export const caddyfile = (
  rules: HostRules,
): string => `# Put this into /etc/caddy/Caddyfile and the built folder at /srv/${rules.id}.

${rules.hostName} {
	root * /srv/${rules.id}

${serving(rules, rules.bridgePath)}
	handle_errors {
		header Cache-Control "no-store"
		respond "{http.error.status_code}"
	}
}
`

/** Prints what serves the app inside of another site, whose \`root\` is the built folder. */
export const caddySnippet = (rules: HostRules): string =>
  `# For \`import\`, where a site has more than the app: headers, caching and routes. Set \`root\` before.\n\n${serving(rules, null)}`

/** Headers, caching and routes. */
const serving = ({ headers }: HostRules, bridgePath: string | null): string => `	encode gzip

	header {
${headers.map(([name, value]) => `\t\t${name} "${value}"`).join('\n')}
		-Server
	}
	# Browsers would ask every port of this machine encrypted.
	@public not host localhost
	header @public Strict-Transport-Security "max-age=31536000"
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

	# Routes of the app have no ending and get its page. What has an ending is a file, or missing.
	@route {
		not path_regexp \\.[A-Za-z0-9]+$
		not path /.well-known/*
		not file
	}
	route {
${bridgePath === null ? '' : bridge(bridgePath)}		rewrite @route /index.html
		file_server
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
