{{- define "ferry.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "ferry.selector" -}}
app.kubernetes.io/name: ferry
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "ferry.labels" -}}
{{ include "ferry.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "ferry.host" -}}
{{- regexReplaceAll "^https?://([^/:]+).*$" .Values.baseUrl "${1}" -}}
{{- end -}}

{{- define "ferry.nodeSelector" -}}
app.kubernetes.io/name: ferry-node
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "ferry.nodeLabels" -}}
{{ include "ferry.nodeSelector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "ferry.nodeImage" -}}
{{ .Values.node.image.repository | default .Values.image.repository }}:{{ .Values.node.image.tag | default .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
