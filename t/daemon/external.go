// Another scheduler in kube-scheduler's own integration tests: script/integration puts this
// file into Kubernetes' package scheduler.  With PREDICATED in the environment, New starts
// that program with the test's API server, profiles and feature gates in place of the
// scheduling loop.  Plugins of the test itself are left out.  The queue and the cache of
// the process go on watching, for tests that look at them.

package scheduler

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	configv1 "k8s.io/kube-scheduler/config/v1"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
)

// The profile without the plugins of the test.
func withoutTestPlugins(options schedulerOptions, profile schedulerapi.KubeSchedulerProfile) schedulerapi.KubeSchedulerProfile {
	profile = *profile.DeepCopy()
	isOfTest := func(name string) bool {
		_, found := options.frameworkOutOfTreeRegistry[name]
		return found
	}
	if p := profile.Plugins; p != nil {
		for _, set := range []*schedulerapi.PluginSet{&p.PreEnqueue, &p.QueueSort, &p.PreFilter,
			&p.Filter, &p.PostFilter, &p.PreScore, &p.Score, &p.Reserve, &p.Permit, &p.PreBind,
			&p.Bind, &p.PostBind, &p.MultiPoint} {
			var kept []schedulerapi.Plugin
			for _, plugin := range set.Enabled {
				if !isOfTest(plugin.Name) {
					kept = append(kept, plugin)
				}
			}
			set.Enabled = kept
		}
	}
	var kept []schedulerapi.PluginConfig
	for _, config := range profile.PluginConfig {
		if !isOfTest(config.Name) {
			kept = append(kept, config)
		}
	}
	profile.PluginConfig = kept
	return profile
}

func writeConfiguration(options schedulerOptions, file string) error {
	var defaults configv1.KubeSchedulerConfiguration
	var config schedulerapi.KubeSchedulerConfiguration

	scheme.Scheme.Default(&defaults)
	if err := scheme.Scheme.Convert(&defaults, &config, nil); err != nil {
		return err
	}
	config.Profiles = nil
	for _, profile := range options.profiles {
		config.Profiles = append(config.Profiles, withoutTestPlugins(options, profile))
	}
	config.Extenders = options.extenders
	config.PodInitialBackoffSeconds = options.podInitialBackoffSeconds
	config.PodMaxBackoffSeconds = options.podMaxBackoffSeconds
	config.LeaderElection.LeaderElect = false
	encoder := scheme.Codecs.EncoderForVersion(json.NewSerializerWithOptions(json.DefaultMetaFactory,
		scheme.Scheme, scheme.Scheme, json.SerializerOptions{Yaml: true}), configv1.SchemeGroupVersion)
	text, err := runtime.Encode(encoder, &config)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0600)
}

func writeKubeconfig(config *rest.Config, file string) error {
	host := config.Host
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	return clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{"test": {Server: host,
			CertificateAuthority: config.CAFile}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"test": {Token: config.BearerToken}},
		Contexts:       map[string]*clientcmdapi.Context{"test": {Cluster: "test", AuthInfo: "test"}},
		CurrentContext: "test",
	}, file)
}

// Those that the test has changed.
func featureGates() string {
	var gates []string
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if enabled := utilfeature.DefaultFeatureGate.Enabled(name); enabled != spec.Default {
			gates = append(gates, fmt.Sprintf("%s=%v", name, enabled))
		}
	}
	return strings.Join(gates, ",")
}

// Waits until a program that was started with this socket says that it is ready.
func waitReady(socket *net.UnixConn) error {
	buffer := make([]byte, 4096)
	_ = socket.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		n, err := socket.Read(buffer)
		if err != nil || strings.Contains(string(buffer[:n]), "READY=1") {
			return err
		}
	}
}

func external() string {
	return os.Getenv("PREDICATED")
}

// At the end of New, whose callers then wait for its caches: until the context ends.
func startExternal(ctx context.Context, options schedulerOptions) error {
	if external() == "" {
		return nil
	}
	folder, err := os.MkdirTemp("", "external")
	if err != nil {
		return err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	configuration := filepath.Join(folder, "config.yaml")
	address := net.UnixAddr{Name: filepath.Join(folder, "notify"), Net: "unixgram"}
	if err = writeKubeconfig(options.kubeConfig, kubeconfig); err != nil {
		return err
	}
	if err = writeConfiguration(options, configuration); err != nil {
		return err
	}
	socket, err := net.ListenUnixgram("unixgram", &address)
	if err != nil {
		return err
	}
	defer socket.Close()
	command := exec.CommandContext(ctx, external(), "--config="+configuration,
		"--kubeconfig="+kubeconfig, "--leader-elect=false", "--secure-port=0", "--port=0",
		"--feature-gates="+featureGates())
	command.Env = append(os.Environ(), "NOTIFY_SOCKET="+address.Name)
	log, err := os.OpenFile(os.Getenv("PREDICATED_LOG"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0600)
	if err == nil {
		command.Stdout, command.Stderr = log, log
		defer log.Close()
	}
	if err = command.Start(); err != nil {
		return err
	}
	go func() {
		err := command.Wait()
		if ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "%s ended: %v\n", external(), err)
		}
		os.RemoveAll(folder)
	}()
	return waitReady(socket)
}

// In Run: whether another program schedules, until the context ends.
func (sched *Scheduler) waitExternal(ctx context.Context) bool {
	if external() == "" {
		return false
	}
	<-ctx.Done()
	sched.SchedulingQueue.Close()
	return true
}
