#include "config.h"

#include "base/complete.h"

/* ---- candidates ---- */

void
complete_put(struct complete *c, const char *prefix, const char *name,
    const char *suffix, const char *description)
{
	AUTOFREE char *candidate = xasprintf("%s%s%s", prefix, name, suffix);

	if (strncmp(candidate, c->word, strlen(c->word)) != 0)
		return;
	text_put(&c->lines, candidate);
	if (description != NULL) {
		text_put(&c->lines, "\t");
		text_append(&c->lines, description, strcspn(description, "\n"));
	}
	text_put(&c->lines, "\n");
}

void
complete_choices(struct complete *c, const char *prefix, const char *choices)
{
	while (*choices != '\0') {
		size_t len = strcspn(choices, "|");
		AUTOFREE char *choice = xasprintf("%.*s", (int)len, choices);

		complete_put(c, prefix, choice, "", NULL);
		choices += len + (choices[len] == '|');
	}
}

void
complete_list(struct complete *c, size_t skip, const char *(*name)(size_t i),
    const char *values)
{
	const char *comma = strrchr(c->word + skip, ',');
	size_t kept = comma != NULL ? (size_t)(comma + 1 - c->word) : skip;
	const char *element = c->word + kept, *one;
	AUTOFREE char *prefix = xasprintf("%.*s", (int)kept, c->word);
	AUTOFREE char *assigned = NULL;

	if (values != NULL && strchr(element, '=') != NULL) {
		assigned = xasprintf("%s%.*s=", prefix,
		    (int)strcspn(element, "="), element);
		complete_choices(c, assigned, values);
		return;
	}
	for (size_t i = 0; (one = name(i)) != NULL; i++)
		complete_put(c, prefix, one, values != NULL ? "=" : "", NULL);
	if (values != NULL)
		c->directive |= COMPLETE_NO_SPACE;
}

void
complete_end(struct complete *c, FILE *out)
{
	if (c->lines.len > 0)
		c->directive |= COMPLETE_NO_FILES;
	text_write(&c->lines, out);
	fprintf(out, ":%u\n", c->directive);
}

/* ---- scripts ---- */

/* NAME stands for the program's name, ALSO for its second one. */

/*
 * bash divides words at '=', too: they are put together for the program, and of its
 * candidates the part is taken away that bash believes to be another word.
 */
static const char bash_script[] =
    "# bash completion for NAME\n"
    "_NAME()\n"
    "{\n"
    "\tlocal program=${COMP_WORDS[0]/#\\~/$HOME} word cur prefix line\n"
    "\tlocal last=${COMP_WORDS[COMP_CWORD]} directive=0 i n=-1\n"
    "\tlocal -a words=()\n"
    "\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "\t\tword=${COMP_WORDS[i]}\n"
    "\t\tif ((n >= 0)) && [[ $word == = || ${COMP_WORDS[i - 1]} == = ]]; then\n"
    "\t\t\twords[n]+=$word\n"
    "\t\telse\n"
    "\t\t\twords[++n]=$word\n"
    "\t\tfi\n"
    "\tdone\n"
    "\tcur=${words[n]}\n"
    "\t[[ $last != = ]] || last=\n"
    "\tprefix=${cur%\"$last\"}\n"
    "\tCOMPREPLY=()\n"
    "\twhile IFS= read -r line; do\n"
    "\t\tif [[ $line == :* ]]; then\n"
    "\t\t\tdirective=${line#:}\n"
    "\t\telse\n"
    "\t\t\tline=${line%$'\\t'*}\n"
    "\t\t\tCOMPREPLY+=(\"${line#\"$prefix\"}\")\n"
    "\t\tfi\n"
    "\tdone < <(\"$program\" __complete \"${words[@]}\" 2>/dev/null)\n"
    "\t((directive & 2)) && compopt -o nospace 2>/dev/null\n"
    "\t((directive & 4)) && compopt +o default 2>/dev/null\n"
    "\treturn 0\n"
    "}\n"
    "complete -o default -F _NAME NAMEALSO\n";

static const char zsh_script[] =
    "#compdef NAMEALSO\n"
    "_NAME()\n"
    "{\n"
    "\tlocal -a lines values space\n"
    "\tlocal line value directive\n"
    "\tlines=(\"${(@f)$(\"${(Q)words[1]/#\\~/$HOME}\" __complete \\\n"
    "\t    \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
    "\tdirective=${lines[-1]#:}\n"
    "\tfor line in \"${(@)lines[1,-2]}\"; do\n"
    "\t\tvalue=${line%%$'\\t'*}\n"
    "\t\tvalues+=(\"${value//:/\\\\:}${line[$#value+1,-1]/$'\\t'/:}\")\n"
    "\tdone\n"
    "\t((directive & 2)) && space=(-S '')\n"
    "\tif ((${#values})); then\n"
    "\t\t_describe -V 'NAME' values \"${space[@]}\"\n"
    "\telif ! ((directive & 4)); then\n"
    "\t\tcompset -P '--*='\n"
    "\t\t_files\n"
    "\tfi\n"
    "}\n"
    "if [[ $funcstack[1] == _NAME ]]; then\n"
    "\t_NAME \"$@\"\n"
    "else\n"
    "\tcompdef _NAME NAMEALSO\n"
    "fi\n";

static const char fish_script[] =
    "# fish completion for NAME\n"
    "function __NAME_complete\n"
    "\tset -l words (commandline -opc)\n"
    "\tset -l cur (commandline -ct)\n"
    "\tset -l lines ($words[1] __complete $words[2..-1] \"$cur\" 2>/dev/null)\n"
    "\tset -q lines[1]; or return\n"
    "\tif set -q lines[2]\n"
    "\t\tprintf '%s\\n' $lines[1..-2]\n"
    "\telse if not string match -qr '^:[4567]$' -- $lines[-1]\n"
    "\t\tset -l option (string match -r '^--[^=]*=' -- \"$cur\")\n"
    "\t\tset -l path (string replace -r '^--[^=]*=' '' -- \"$cur\")\n"
    "\t\tfor file in (__fish_complete_path \"$path\")\n"
    "\t\t\techo -- \"$option\"$file\n"
    "\t\tend\n"
    "\tend\n"
    "end\n"
    "complete -c NAME -f -k -a '(__NAME_complete)'\n";

/* Whether the text begins with this word; then *p is behind it. */
static bool
skip_word(const char **p, const char *word)
{
	if (strncmp(*p, word, strlen(word)) != 0)
		return false;
	*p += strlen(word);
	return true;
}

static void
put_script(const char *script, const char *program, const char *other,
    FILE *out)
{
	while (*script != '\0') {
		if (skip_word(&script, "NAME"))
			fputs(program, out);
		else if (skip_word(&script, "ALSO"))
			fprintf(out, "%s%s", other != NULL ? " " : "",
			    other != NULL ? other : "");
		else
			fputc(*script++, out);
	}
}

int
complete_script(const char *shell, const char *program, const char *other,
    FILE *out)
{
	if (strcmp(shell, "bash") == 0)
		put_script(bash_script, program, other, out);
	else if (strcmp(shell, "zsh") == 0)
		put_script(zsh_script, program, other, out);
	else if (strcmp(shell, "fish") == 0)
		put_script(fish_script, program, other, out);
	else
		return -1;
	return 0;
}
