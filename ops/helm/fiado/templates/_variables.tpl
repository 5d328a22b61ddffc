{{/* A setting as text. Helm reads every number as a float, and would print a million as 1e+06. */}}
{{- define "fiado.text" -}}
{{- if kindIs "float64" . -}}
{{- if eq . (floor .) -}}{{ int64 . }}{{- else -}}{{ printf "%.6f" . | trimSuffix "0" | trimSuffix "0" | trimSuffix "0" | trimSuffix "0" | trimSuffix "0" }}{{- end -}}
{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* The variables that the chart makes itself. */}}
{{- define "fiado.made" -}}
{{- $name := .Release.Name -}}
HOST: 0.0.0.0
INTERNAL_HOST: 0.0.0.0
CONSOLE_HOST: 0.0.0.0
METRICS_PORT: "9464"
GATEWAY_URL: http://{{ $name }}-gateway
DATA_DIR: /data
# Of the least number of gateways: a caller never gets less than its limit.
RATE_LIMIT_SHARE: {{ divf 1 .Values.gateway.replicas | printf "%.4f" | quote }}
{{- range $process, $facts := (include "fiado.lists" . | fromYaml).processes }}
{{ $facts.portVariable }}: {{ $facts.port | int | quote }}
{{- if $facts.queue }}
{{ upper $process }}_URL: http://{{ $name }}-{{ $process }}:{{ $facts.port | int }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The variables of a process that are not secret: (dict "root" $ "process" "accounts"). */}}
{{- define "fiado.env" -}}
{{- $process := .process -}}
{{- $lists := include "fiado.lists" .root | fromYaml -}}
{{- $made := include "fiado.made" .root | fromYaml -}}
{{- range $variable, $readers := $lists.made }}
{{- if has $process $readers }}
- name: {{ $variable }}
  value: {{ get $made $variable | quote }}
{{- end }}
{{- end }}
{{- range $variable, $readers := $lists.settings }}
{{- $value := get $.root.Values.settings $variable }}
{{- if and (has $process $readers) (not (kindIs "invalid" $value)) (ne (toString $value) "") }}
- name: {{ $variable }}
  value: {{ include "fiado.text" $value | quote }}
{{- end }}
{{- end }}
{{- if include "fiado.secretItems" . }}
# Each file in it is a variable: docker/read-settings.sh reads them.
- name: SETTINGS_DIR
  value: /settings/{{ $process }}
{{- end }}
{{- if .root.Values.certificateAuthority.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/fiado/certificate-authority.crt
{{- end }}
{{- end -}}

{{/* The files of a process's Secret that it reads. */}}
{{- define "fiado.secretItems" -}}
{{- $process := .process -}}
{{- $lists := include "fiado.lists" .root | fromYaml -}}
{{- $facts := include "fiado.facts" .root | fromYaml -}}
{{- range $variable, $readers := $lists.secrets }}
{{- $condition := get $lists.conditions $variable }}
{{- if and (has $process $readers) (or (eq $condition "") (get $facts $condition)) }}
- { key: {{ $variable }}, path: {{ $variable }} }
{{- end }}
{{- end }}
{{- end -}}
