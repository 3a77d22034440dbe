#!/bin/sh
# Completion: every command and option that --help has is offered, with the values
# that it takes, in bash, zsh and fish as they really are, and through kubectl.
. "$SRCDIR/t/ctl/ctl.sh"
cd "$tmp" || exit 99

mkdir bin files
ln -s "$BUILDDIR/predicatectl" bin/kubectl_complete-predicate
# The programs only answer questions; each command that is run is written down.
for program in predicatectl predicated; do
	cat >bin/$program <<END
#!/bin/sh
case \$1 in
__complete | completion | --completion=*) exec "$BUILDDIR/$program" "\$@" ;;
esac
{
	printf '%s' "\${0##*/}"
	for word; do printf ' <%s>' "\$word"; done
	echo
} >>"$tmp/ran"
END
	chmod +x bin/$program
done
PATH=$tmp/bin:$PATH
touch files/only-one.cfg

# offered PROGRAM WORD…: the candidates, without their descriptions
offered() {
	program=$1
	shift
	"$program" __complete "$@" | sed '/^:/d; s/	.*//'
}

# ---- the complete lists ----

"$BUILDDIR/predicatectl" --help |
    sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p' | sort >commands
is "there are commands" "$(($(wc -l <commands) > 13))" 1
is "every command is offered" \
    "$(offered predicatectl '' | grep -vx help | sort)" "$(cat commands)"
is "with what it does" "$(predicatectl __complete chec)" \
    "check	find every problem in policy files
:4"
while read -r command; do
	is "$command: every option is offered" \
	    "$(offered predicatectl "$command" - | sort)" \
	    "$("$BUILDDIR/predicatectl" "$command" --help |
		sed -n '1,/^Options/d; s/^  *\(-[a-zA-Z], \)*\(--[a-z-]*\).*/\2/p' | sort)"
done <commands
is "every option of the daemon is offered" \
    "$(offered predicated '' | sort)" \
    "$("$BUILDDIR/predicated" --help |
	sed -n '/^Also/q; s/^  \(-[a-zA-Z][ N]*, \)*\(--[a-z0-9-]*\).*/\2/p' | sort)"

# values WANT PROGRAM WORD…: the candidates and the directive; :6 is no space and no
# files
values() {
	want=$1
	shift
	program=$1
	shift
	is "$program $*" "$($program __complete "$@" | sed 's/	.*//' |
	    tr '\n' ' ')" "$want "
}
values 'table wide yaml name json :4' predicatectl explain -o ''
values 'table wide yaml name json :4' predicatectl simulate --output ''
values '--output=json :4' predicatectl check --output=j
values 'packing spread zones balance :4' predicatectl tune --objective ''
values 'all pending :4' predicatectl tune --pods ''
values 'v1beta1 v1beta2 v1beta3 v1 :4' predicatectl convert --to ''
values 'auto always never :4' predicatectl explain --color ''
values 'EvenPodsSpread= :6' predicatectl explain --feature-gates Even
values 'EvenPodsSpread=true EvenPodsSpread=false :4' \
    predicatectl explain --feature-gates EvenPodsSpread=
values '--feature-gates=A=true,EvenPodsSpread=false :4' \
    predicatectl explain --feature-gates=A=true,EvenPodsSpread=f
values 'MostRequestedPriority :4' predicatectl tune --add MostR
values 'A,MostRequestedPriority :4' predicatectl tune --add A,MostR
values 'hostPorts= :6' predicatectl explain --max-per-pod host
values 'schedulingGroup :4' predicatectl explain --ignore-unsupported sch
values 'bash zsh fish :4' predicatectl completion ''
values 'simulate :4' predicatectl help sim
values 'simulate :4' predicatectl --context a sim
values 'simulate :4' predicatectl --context=a -n b sim
values ':4' predicatectl explain --context ''
values ':4' predicatectl explain ''
values ':0' predicatectl check ''
values ':0' predicatectl explain --cluster ''
values ':0' predicatectl explain --cluster=''
values ':4' predicatectl explain --zone ''
values 'DefaultProvider :4' predicated --algorithm-provider D
values '--algorithm-provider=ClusterAutoscalerProvider :4' \
    predicated --algorithm-provider=C
values 'A=true,EvenPodsSpread= :6' predicated --feature-gates A=true,Even
values '--leader-elect=true --leader-elect=false :4' predicated --leader-elect=
values 'auto text json journal :4' predicated --log-format ''
values 'auto :4' predicated --kubernetes-version ''
values ':0' predicated --config ''
values ':0' predicated --record ''
values ':4' predicated --secure-port ''
is "kubectl's plugins are asked so" \
    "$(kubectl_complete-predicate explain -o y)" 'yaml
:4'
is "without a word" "$(predicatectl __complete | tail -n 1)" ":4"
ctl completion tcsh
is "another shell: 2" "$code" 2
has "another shell: says which there are" "$err" "bash, zsh or fish"
out=$("$BUILDDIR/predicated" --completion=tcsh 2>&1)
is "another shell, of the daemon" "$?:$out" \
    "1:--completion: error: must be one of bash|zsh|fish, not 'tcsh'"

# ---- in shells ----

# typed SHELL KEYS WANT: the command that is run when KEYS are typed; \t is the tabulator
typed() {
	rm -f ran
	# shellcheck disable=SC2059 # \t is in it
	printf "$2"'\nexit\n' >keys
	case $1 in
	bash)
		cat >start <<END
cd $tmp/files; PATH=$PATH; PS1='> '; unset HISTFILE
. <(predicatectl completion bash); . <(predicated --completion=bash)
END
		command="bash --noprofile --rcfile $tmp/start -i" ;;
	zsh)
		cat >.zshrc <<END
cd $tmp/files; PATH=$PATH; PS1='> '; unset HISTFILE
autoload -U compinit; compinit -u -d $tmp/zcompdump
. <(predicatectl completion zsh); . <(predicated --completion=zsh)
END
		command="env ZDOTDIR=$tmp zsh -d -i" ;;
	esac
	TERM=xterm timeout 60 script -qec "$command" /dev/null \
	    <keys >"$tmp/screen" 2>&1
	is "$1: $2" "$(cat ran 2>/dev/null)" "$3"
}

for shell in bash zsh; do
	if ! command -v $shell >/dev/null || ! command -v script >/dev/null; then
		skip "$shell: the keys" "there is no $shell or no script(1)"
		continue
	fi
	is "$shell: the scripts are valid" "$({
		predicatectl completion $shell
		predicated --completion=$shell
	} | $shell -n 2>&1)" ""
	typed $shell 'predicatectl simu\t-o js\t' \
	    'predicatectl <simulate> <-o> <json>'
	typed $shell 'predicatectl tune --obj\tpack\t' \
	    'predicatectl <tune> <--objective> <packing>'
	typed $shell 'predicatectl explain --output=ya\t--ku' \
	    'predicatectl <explain> <--output=yaml> <--ku>'
	typed $shell 'predicatectl explain --feature-gates Even\tt\t' \
	    'predicatectl <explain> <--feature-gates> <EvenPodsSpread=true>'
	typed $shell 'predicatectl explain --feature-gates=Even\tt\t' \
	    'predicatectl <explain> <--feature-gates=EvenPodsSpread=true>'
	typed $shell 'predicatectl check onl\t' 'predicatectl <check> <only-one.cfg>'
	typed $shell 'predicatectl explain --cluster=onl\t' \
	    'predicatectl <explain> <--cluster=only-one.cfg>'
	typed $shell 'predicatectl explain onl\t' 'predicatectl <explain> <onl>'
	typed $shell 'predicated --algorithm-provider=Cl\t--leader-elect=f\t' \
	    'predicated <--algorithm-provider=ClusterAutoscalerProvider> <--leader-elect=false>'
done

# fish LINE WANT: the candidates that it has
in_fish() {
	is "fish: $1" "$(HOME=$tmp fish -N -c "cd $tmp/files
predicatectl completion fish | source
predicated --completion=fish | source
complete -C '$1'" 2>&1 | sed 's/	.*//')" "$2"
}
if command -v fish >/dev/null; then
	in_fish 'predicatectl simu' simulate
	in_fish 'predicatectl explain -o y' yaml
	in_fish 'predicatectl explain --output=y' --output=yaml
	in_fish 'predicatectl explain --feature-gates=Even' \
	    --feature-gates=EvenPodsSpread=
	in_fish 'predicatectl check onl' only-one.cfg
	in_fish 'predicatectl explain --cluster=onl' --cluster=only-one.cfg
	in_fish 'predicatectl explain onl' ''
	in_fish 'predicated --algorithm-provider=C' \
	    --algorithm-provider=ClusterAutoscalerProvider
else
	skip "fish" "there is no fish"
fi

# ---- installed ----

for file in bash-completion/completions/predicatectl \
    bash-completion/completions/predicated zsh/site-functions/_predicatectl \
    zsh/site-functions/_predicated fish/vendor_completions.d/predicatectl.fish \
    fish/vendor_completions.d/predicated.fish; do
	name=${file##*/}
	case $file in
	bash*) shell=bash ;;
	zsh*) shell=zsh ;;
	*) shell=fish ;;
	esac
	case $name in
	*predicatectl*) want=$(predicatectl completion $shell) ;;
	*) want=$(predicated --completion=$shell) ;;
	esac
	is "$file is the program's" \
	    "$(cat "$BUILDDIR/src/tool/commands/completion/$name")" "$want"
done
finish
