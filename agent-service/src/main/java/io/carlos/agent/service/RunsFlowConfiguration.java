package io.carlos.agent.service;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.agent.service.admin.ControlBus;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.time.Scheduler;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.channel.MessagePublishingErrorHandler;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.util.ErrorHandlingTaskExecutor;
import org.springframework.messaging.MessageChannel;

/**
 * From pass to worker: passes → split → a thread for each record → worker. A record whose handling throws goes to
 * {@value #ERRORS}; one whose handling hangs keeps its thread, and gets no other; neither touches other records. What
 * operators tell the flow comes in by {@value #COMMANDS}.
 */
@Configuration(proxyBeanMethods = false)
class RunsFlowConfiguration {
    static final String ERRORS = "runsErrors";
    static final String NOTED = "notedRuns";
    static final String COMMANDS = "commands";

    @Bean
    NotedRunHandler notedRunHandler(RunsWorker worker) {
        return worker::act;
    }

    @Bean
    RunsErrors runsErrorLog() {
        return new RunsErrors();
    }

    @Bean(ERRORS)
    MessageChannel runsErrors() {
        return new DirectChannel();
    }

    @Bean
    IntegrationFlow runsErrorsFlow(@Qualifier(ERRORS) MessageChannel errors, RunsErrors log) {
        return IntegrationFlow.from(errors)
                .handle(Throwable.class, (failure, headers) -> {
                    log.take(failure);
                    return null;
                })
                .get();
    }

    /** Started and stopped by {@link AgentLife} alone, which keeps the order. */
    @Bean
    PassSource passSource(
            AgentPulse pulse,
            Scheduler scheduler,
            ObjectProvider<BoxBegin> begin,
            @Qualifier(ERRORS) MessageChannel errors) {
        PassSource source = new PassSource(pulse, scheduler, () -> begin.ifAvailable(BoxBegin::begin));
        source.setErrorChannel(errors);
        source.setAutoStartup(false);
        return source;
    }

    @Bean
    IntegrationFlow runsFlow(
            PassSource passes, NotedRunHandler handler, @Qualifier(ERRORS) MessageChannel errors, BeanFactory beans) {
        MessagePublishingErrorHandler toErrors = new MessagePublishingErrorHandler();
        toErrors.setBeanFactory(beans);
        toErrors.setDefaultErrorChannel(errors);
        ErrorHandlingTaskExecutor threads =
                new ErrorHandlingTaskExecutor(new VirtualThreadTaskExecutor("noted-run-"), toErrors);
        NotedRunHandler single = new SingleFlight(handler);
        return IntegrationFlow.from(passes)
                .split()
                .channel(channels -> channels.executor(NOTED, threads))
                .handle(InstanceRecord.class, (record, headers) -> {
                    single.act(record);
                    return null;
                })
                .get();
    }

    @Bean(COMMANDS)
    MessageChannel commands() {
        return new DirectChannel();
    }

    /** Carries out {@code BEAN.OPERATION} on the thread that sends it. */
    @Bean
    IntegrationFlow commandsFlow(@Qualifier(COMMANDS) MessageChannel commands) {
        return IntegrationFlow.from(commands).controlBus().get();
    }

    @Bean
    ControlBus controlBus(@Qualifier(COMMANDS) MessageChannel commands) {
        return new ControlBus(commands, AgentConfiguration.CONTROL);
    }

    @Bean
    AgentLife agentLife(
            PassSource passes,
            AgentPulse pulse,
            RunsWorker worker,
            Fleet fleet,
            BoxRelease release,
            AgentProperties properties) {
        return new AgentLife(passes, pulse, worker, fleet, release, properties.stopBound());
    }
}
