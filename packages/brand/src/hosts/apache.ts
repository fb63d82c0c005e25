import { ROUTE_PATTERN } from './app-routes.ts'
import { type HostRules, IMMUTABLE, IMMUTABLE_FOLDER } from './host-rules.ts'

/** Prints an `.htaccess` for Apache 2.4, which shared hosting reads; needs mod_rewrite and mod_headers. */
export const htaccess = ({ headers }: HostRules): string => `Options -Indexes -MultiViews
DirectoryIndex index.html
AddDefaultCharset utf-8
AddType application/manifest+json .webmanifest
<Files "apple-app-site-association">
  ForceType application/json
</Files>

# Routes of the app get its page. Everything else is a file, or missing.
RewriteEngine On
RewriteRule ^${ROUTE_PATTERN}$ /index.html [END]

${headers.map(([name, value]) => `Header always set ${name} "${value}"`).join('\n')}
Header always set Cache-Control "no-cache"
Header always set Cache-Control "${IMMUTABLE}" "expr=%{REQUEST_URI} =~ m#^${IMMUTABLE_FOLDER}#"
Header always set Cache-Control "no-store" "expr=%{REQUEST_STATUS} -ge 400"

<IfModule mod_deflate.c>
  AddOutputFilterByType DEFLATE text/html text/css text/javascript application/javascript application/json application/manifest+json image/svg+xml
</IfModule>
`
