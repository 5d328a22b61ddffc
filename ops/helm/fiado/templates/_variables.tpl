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
CONSOLE_METRICS_PORT: "9464"
GATEWAY_URL: http://{{ $name }}-gateway
DATA_DIR: /data
# Of the least number of gateways, rounded up: all of them together never let less than the limit through.
RATE_LIMIT_SHARE: {{ divf (divf 10000 .Values.gateway.replicas | ceil) 10000 | printf "%.4f" | quote }}
{{- range $process, $facts := (include "fiado.lists" . | fromYaml).processes }}
{{ $facts.portVariable }}: {{ $facts.port | int | quote }}
{{- if $facts.queue }}
{{ upper $process }}_URL: http://{{ $name }}-{{ $process }}:{{ $facts.port | int }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Whether a container reads a variable; `migration` in its dict: the container migrates.
     (dict "container" (dict "root" $ "process" "accounts") "lists" $lists "variable" "X" "readers" (list)) */}}
{{- define "fiado.reads" -}}
{{- $isRead := or (not .container.migration) (has .variable .lists.migration) -}}
{{- if and $isRead (has .container.process .readers) -}}true{{- end -}}
{{- end -}}

{{/* The variables of a process that are not secret: (dict "root" $ "process" "accounts"). */}}
{{- define "fiado.env" -}}
{{- $process := .process -}}
{{- $lists := include "fiado.lists" .root | fromYaml -}}
{{- $made := include "fiado.made" .root | fromYaml -}}
{{- range $variable, $readers := $lists.made }}
{{- if include "fiado.reads" (dict "container" $ "lists" $lists "variable" $variable "readers" $readers) }}
- name: {{ $variable }}
  value: {{ get $made $variable | quote }}
{{- end }}
{{- end }}
{{- range $variable, $readers := $lists.settings }}
{{- $value := get $.root.Values.settings $variable }}
{{- $isRead := include "fiado.reads" (dict "container" $ "lists" $lists "variable" $variable "readers" $readers) }}
{{- if and $isRead (not (kindIs "invalid" $value)) (ne (toString $value) "") }}
- name: {{ $variable }}
  value: {{ include "fiado.text" $value | quote }}
{{- end }}
{{- end }}
{{- if or .migration (include "fiado.secretItems" .) }}
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
{{- $lists := include "fiado.lists" .root | fromYaml -}}
{{- $facts := include "fiado.facts" .root | fromYaml -}}
{{- range $variable, $readers := $lists.secrets }}
{{- $condition := get $lists.conditions $variable }}
{{- $isRead := include "fiado.reads" (dict "container" $ "lists" $lists "variable" $variable "readers" $readers) }}
{{- if and $isRead (or (eq $condition "") (get $facts $condition)) }}
- { key: {{ $variable }}, path: {{ $variable }} }
{{- end }}
{{- end }}
{{- end -}}
